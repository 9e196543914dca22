-- Null for a check of the agent itself.
ALTER TABLE agent_check ADD COLUMN workspace_id UUID;

-- contract: ids are unique already
-- lock: a company has few workspaces
CREATE UNIQUE INDEX "workspace_company_id_id_key" ON workspace (company_id, id);

-- The caller that waits sees that its row is gone.
ALTER TABLE agent_check ADD CONSTRAINT "agent_check_company_id_workspace_id_fkey"
  FOREIGN KEY (company_id, workspace_id) REFERENCES workspace (company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
