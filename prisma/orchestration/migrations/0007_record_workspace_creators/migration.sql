-- Null for a workspace that the board made, or that is older than this column: agents may not change those.
ALTER TABLE workspace ADD COLUMN created_by_agent_id UUID;

ALTER TABLE workspace ADD CONSTRAINT "workspace_company_id_created_by_agent_id_fkey"
  FOREIGN KEY (company_id, created_by_agent_id) REFERENCES agent (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
