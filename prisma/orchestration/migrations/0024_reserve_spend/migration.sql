CREATE TABLE reservation (
  id UUID NOT NULL,
  company_id UUID NOT NULL,
  agent_id UUID NOT NULL,
  run_id UUID NOT NULL,
  ticket_hash BYTEA NOT NULL,
  cents BIGINT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT reservation_pkey PRIMARY KEY (id),
  CONSTRAINT reservation_cents_check CHECK (cents >= 0)
);
CREATE INDEX reservation_company_id_agent_id_idx ON reservation (company_id, agent_id);
CREATE INDEX reservation_company_id_run_id_idx ON reservation (company_id, run_id);
ALTER TABLE reservation ADD CONSTRAINT reservation_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE reservation ADD CONSTRAINT reservation_company_id_run_id_fkey
  FOREIGN KEY (company_id, run_id) REFERENCES heartbeat_run (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;

CREATE TABLE budget_pause (
  company_id UUID NOT NULL,
  run_id UUID NOT NULL,
  cents BIGINT NOT NULL,
  checked_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT budget_pause_pkey PRIMARY KEY (run_id)
);
CREATE INDEX budget_pause_checked_at_idx ON budget_pause (checked_at);
CREATE UNIQUE INDEX budget_pause_company_id_run_id_key ON budget_pause (company_id, run_id);
ALTER TABLE budget_pause ADD CONSTRAINT budget_pause_company_id_run_id_fkey
  FOREIGN KEY (company_id, run_id) REFERENCES heartbeat_run (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
