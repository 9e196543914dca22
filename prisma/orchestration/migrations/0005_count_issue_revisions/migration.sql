-- Counts the changes of what is written of an issue, so that a writer can say which version its change is meant for.
ALTER TABLE issue ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;

-- contract: it adds; the trigger below is its one user
CREATE FUNCTION count_issue_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;

-- contract: it counts what the previous version writes too, and refuses nothing
CREATE TRIGGER issue_revision_is_counted
  BEFORE UPDATE OF title, description, status, priority, assignee_agent_id, assignee_user_id, parent_id,
    project_id, goal_id, billing_code, due_date ON issue
  FOR EACH ROW WHEN (
    (OLD.title, OLD.description, OLD.status, OLD.priority, OLD.assignee_agent_id, OLD.assignee_user_id, OLD.parent_id,
      OLD.project_id, OLD.goal_id, OLD.billing_code, OLD.due_date)
    IS DISTINCT FROM
    (NEW.title, NEW.description, NEW.status, NEW.priority, NEW.assignee_agent_id, NEW.assignee_user_id, NEW.parent_id,
      NEW.project_id, NEW.goal_id, NEW.billing_code, NEW.due_date))
  EXECUTE FUNCTION count_issue_revision();
