-- Writes to these tables wait until the texts of all companies are counted. Takes every lock before anything is changed, and
-- gives them back while a transaction that writes to several of the tables is under way: neither waits for the other.
-- contract: writes of the previous version wait, and none fails
DO $$
BEGIN
  LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '200ms', true);
      LOCK TABLE company, goal, project, routine, issue, issue_comment, document_revision, approval, approval_comment,
        agent_config_revision IN SHARE ROW EXCLUSIVE MODE;
      PERFORM set_config('lock_timeout', '0', true);
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END;
  END LOOP;
END $$;

-- Bytes of the text that a company stores: the sum over its rows. A writer adds to a row that no other transaction has
-- locked, or makes one, so that writers never wait for each other here. There are as many rows as a company ever had
-- writers at once.
CREATE TABLE company_text (
    company_id UUID NOT NULL,
    id UUID NOT NULL DEFAULT gen_random_uuid(),
    bytes BIGINT NOT NULL,

    CONSTRAINT company_text_pkey PRIMARY KEY (company_id, id)
);

ALTER TABLE company_text ADD CONSTRAINT company_text_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;

-- contract: a new function, which only the triggers below call
CREATE FUNCTION add_company_text(of_company UUID, more BIGINT) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  unlocked UUID;
BEGIN
  SELECT id INTO unlocked FROM company_text WHERE company_id = of_company LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF unlocked IS NULL THEN
    INSERT INTO company_text (company_id, bytes) VALUES (of_company, more);
  ELSE
    UPDATE company_text SET bytes = bytes + more WHERE company_id = of_company AND id = unlocked;
  END IF;
END $$;

-- Counts what one statement stored or deleted, whatever code sent it.
-- contract: a new function, which only the triggers below call
CREATE FUNCTION count_company_text() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign INTEGER := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'issue', 'goal', 'routine' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(title) + coalesce(octet_length(description), 0)))
        FROM changed GROUP BY company_id;
    WHEN 'project' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(name) + coalesce(octet_length(description), 0)))
        FROM changed GROUP BY company_id;
    WHEN 'issue_comment', 'approval_comment' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(body))) FROM changed GROUP BY company_id;
    WHEN 'document_revision' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(title) + octet_length(body)))
        FROM changed GROUP BY company_id;
    WHEN 'approval' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(payload::text))) FROM changed GROUP BY company_id;
    WHEN 'agent_config_revision' THEN
      PERFORM add_company_text(company_id,
        sign * sum(coalesce(octet_length(before::text), 0) + octet_length(after::text)))
        FROM changed GROUP BY company_id;
  END CASE;
  RETURN NULL;
END $$;

-- contract: a new function, which only the triggers below call
CREATE FUNCTION recount_company_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'issue', 'goal', 'routine' THEN
      PERFORM add_company_text(NEW.company_id, octet_length(NEW.title) - octet_length(OLD.title)
        + coalesce(octet_length(NEW.description), 0) - coalesce(octet_length(OLD.description), 0));
    WHEN 'project' THEN
      PERFORM add_company_text(NEW.company_id, octet_length(NEW.name) - octet_length(OLD.name)
        + coalesce(octet_length(NEW.description), 0) - coalesce(octet_length(OLD.description), 0));
    WHEN 'approval' THEN
      PERFORM add_company_text(NEW.company_id, octet_length(NEW.payload::text) - octet_length(OLD.payload::text));
  END CASE;
  RETURN NULL;
END $$;

-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER issue_text_is_counted AFTER INSERT ON issue
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_issue_text_is_counted AFTER DELETE ON issue
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER goal_text_is_counted AFTER INSERT ON goal
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_goal_text_is_counted AFTER DELETE ON goal
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER routine_text_is_counted AFTER INSERT ON routine
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_routine_text_is_counted AFTER DELETE ON routine
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER project_text_is_counted AFTER INSERT ON project
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_project_text_is_counted AFTER DELETE ON project
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER issue_comment_text_is_counted AFTER INSERT ON issue_comment
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_issue_comment_text_is_counted AFTER DELETE ON issue_comment
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER approval_comment_text_is_counted AFTER INSERT ON approval_comment
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_approval_comment_text_is_counted AFTER DELETE ON approval_comment
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER document_revision_text_is_counted AFTER INSERT ON document_revision
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_document_revision_text_is_counted AFTER DELETE ON document_revision
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER approval_text_is_counted AFTER INSERT ON approval
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_approval_text_is_counted AFTER DELETE ON approval
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER agent_config_revision_text_is_counted AFTER INSERT ON agent_config_revision
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_agent_config_revision_text_is_counted AFTER DELETE ON agent_config_revision
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER changed_issue_text_is_counted AFTER UPDATE OF title, description ON issue
  FOR EACH ROW WHEN (octet_length(OLD.title) <> octet_length(NEW.title)
    OR octet_length(OLD.description) IS DISTINCT FROM octet_length(NEW.description))
  EXECUTE FUNCTION recount_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER changed_goal_text_is_counted AFTER UPDATE OF title, description ON goal
  FOR EACH ROW WHEN (octet_length(OLD.title) <> octet_length(NEW.title)
    OR octet_length(OLD.description) IS DISTINCT FROM octet_length(NEW.description))
  EXECUTE FUNCTION recount_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER changed_routine_text_is_counted AFTER UPDATE OF title, description ON routine
  FOR EACH ROW WHEN (octet_length(OLD.title) <> octet_length(NEW.title)
    OR octet_length(OLD.description) IS DISTINCT FROM octet_length(NEW.description))
  EXECUTE FUNCTION recount_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER changed_project_text_is_counted AFTER UPDATE OF name, description ON project
  FOR EACH ROW WHEN (octet_length(OLD.name) <> octet_length(NEW.name)
    OR octet_length(OLD.description) IS DISTINCT FROM octet_length(NEW.description))
  EXECUTE FUNCTION recount_company_text();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER changed_approval_text_is_counted AFTER UPDATE OF payload ON approval
  FOR EACH ROW WHEN (OLD.payload <> NEW.payload) EXECUTE FUNCTION recount_company_text();

INSERT INTO company_text (company_id, bytes)
SELECT company_id, sum(bytes) FROM (
  SELECT company_id, octet_length(title) + coalesce(octet_length(description), 0) AS bytes FROM issue
  UNION ALL SELECT company_id, octet_length(title) + coalesce(octet_length(description), 0) FROM goal
  UNION ALL SELECT company_id, octet_length(title) + coalesce(octet_length(description), 0) FROM routine
  UNION ALL SELECT company_id, octet_length(name) + coalesce(octet_length(description), 0) FROM project
  UNION ALL SELECT company_id, octet_length(body) FROM issue_comment
  UNION ALL SELECT company_id, octet_length(body) FROM approval_comment
  UNION ALL SELECT company_id, octet_length(title) + octet_length(body) FROM document_revision
  UNION ALL SELECT company_id, octet_length(payload::text) FROM approval
  UNION ALL SELECT company_id, coalesce(octet_length(before::text), 0) + octet_length(after::text)
    FROM agent_config_revision
) AS stored GROUP BY company_id;
