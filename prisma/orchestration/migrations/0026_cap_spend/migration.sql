CREATE TABLE spend_cap (
  id UUID NOT NULL,
  company_id UUID NOT NULL,
  scope TEXT NOT NULL,
  scope_id UUID NOT NULL,
  period TEXT NOT NULL,
  cents BIGINT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT spend_cap_pkey PRIMARY KEY (id),
  CONSTRAINT spend_cap_scope_check CHECK (scope IN ('run', 'issue', 'routine', 'project', 'agent', 'company')),
  CONSTRAINT spend_cap_period_check CHECK (period IN ('day', 'week', 'month', 'total')),
  CONSTRAINT spend_cap_cents_check CHECK (cents > 0)
);
CREATE UNIQUE INDEX spend_cap_company_id_scope_scope_id_period_key ON spend_cap (company_id, scope, scope_id, period);
CREATE INDEX spend_cap_company_id_created_at_id_idx ON spend_cap (company_id, created_at, id);
ALTER TABLE spend_cap ADD CONSTRAINT spend_cap_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company (id) ON DELETE RESTRICT ON UPDATE CASCADE;

-- Without the agent in the key, events of different agents would wait for each other.
CREATE TABLE cost_scope_day (
  company_id UUID NOT NULL,
  scope TEXT NOT NULL,
  scope_id UUID NOT NULL,
  day DATE NOT NULL,
  agent_id UUID NOT NULL,
  cost_cents BIGINT NOT NULL,
  CONSTRAINT cost_scope_day_pkey PRIMARY KEY (company_id, scope, scope_id, day, agent_id)
);
ALTER TABLE cost_scope_day ADD CONSTRAINT cost_scope_day_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;

-- lock: settled reservations are deleted after an hour
CREATE INDEX reservation_open ON reservation (company_id) WHERE cents > 0;
-- lock: settled reservations are deleted after an hour
CREATE INDEX reservation_settled ON reservation (company_id, expires_at) WHERE ticket_hash = '';
