CREATE TABLE deleted_company (
  id UUID NOT NULL,
  deleted_by_user_id TEXT NOT NULL,
  deleted_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  erased_at TIMESTAMPTZ(3),
  CONSTRAINT deleted_company_pkey PRIMARY KEY (id)
);

CREATE TABLE deleted_folder (
  id UUID NOT NULL,
  deleted_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT deleted_folder_pkey PRIMARY KEY (id)
);

ALTER TABLE idempotency_record ADD COLUMN company_id UUID;
-- lock: the table contains the keyed requests of one day
CREATE INDEX idempotency_record_company_id_idx ON idempotency_record (company_id);
-- lock: no row has a company yet
ALTER TABLE idempotency_record ADD CONSTRAINT idempotency_record_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company (id) ON DELETE CASCADE ON UPDATE CASCADE;
