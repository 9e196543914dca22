-- Addresses that are told what happens in a company; `event_*` is the position in its event feed up to where it was told.
CREATE TABLE endpoint (
  id UUID NOT NULL,
  company_id UUID NOT NULL,
  description TEXT,
  host TEXT NOT NULL,
  target_key_id UUID NOT NULL,
  target BYTEA NOT NULL,
  secret_version INTEGER NOT NULL DEFAULT 1,
  events TEXT[] DEFAULT ARRAY[]::TEXT[],
  shape TEXT NOT NULL DEFAULT 'standard',
  status TEXT NOT NULL DEFAULT 'enabled',
  disabled_reason TEXT,
  failing_since TIMESTAMPTZ(3),
  event_transaction BIGINT NOT NULL,
  event_sequence BIGINT NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT endpoint_pkey PRIMARY KEY (id),
  CONSTRAINT endpoint_status_check CHECK (status IN ('enabled', 'disabled')),
  CONSTRAINT endpoint_shape_check CHECK (shape IN ('standard', 'slack', 'discord', 'telegram'))
);
CREATE UNIQUE INDEX endpoint_company_id_id_key ON endpoint (company_id, id);
CREATE INDEX endpoint_company_id_created_at_id_idx ON endpoint (company_id, created_at, id);
CREATE INDEX endpoint_company_id_target_key_id_idx ON endpoint (company_id, target_key_id);
ALTER TABLE endpoint ADD CONSTRAINT endpoint_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE endpoint ADD CONSTRAINT endpoint_company_id_target_key_id_fkey
  FOREIGN KEY (company_id, target_key_id) REFERENCES secret_key (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE delivery ADD COLUMN endpoint_id UUID;
ALTER TABLE delivery ADD COLUMN event_type TEXT;
-- lock: the table is as old as this release
CREATE UNIQUE INDEX delivery_endpoint_id_webhook_id_key ON delivery (endpoint_id, webhook_id);
-- lock: the table is as old as this release
CREATE INDEX delivery_company_id_endpoint_id_created_at_id_idx ON delivery (company_id, endpoint_id, created_at, id);
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_endpoint_id_fkey
  FOREIGN KEY (company_id, endpoint_id) REFERENCES endpoint (company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
