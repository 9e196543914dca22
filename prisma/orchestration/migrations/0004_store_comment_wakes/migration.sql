-- Outcomes of the wakes that a person's comment caused without naming the agent.
ALTER TABLE issue_comment ADD COLUMN woken JSONB NOT NULL DEFAULT '[]';
