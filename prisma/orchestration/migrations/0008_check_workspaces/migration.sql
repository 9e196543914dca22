-- Null for a check of the agent itself.
ALTER TABLE agent_check ADD COLUMN workspace_id UUID;

-- The caller that waits sees that its row is gone.
ALTER TABLE agent_check ADD CONSTRAINT "agent_check_workspace_id_fkey"
  FOREIGN KEY (workspace_id) REFERENCES workspace (id) ON DELETE CASCADE ON UPDATE NO ACTION;
