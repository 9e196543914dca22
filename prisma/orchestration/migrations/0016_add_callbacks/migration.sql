-- Requests to addresses outside, each repeated until it is answered by 2xx. A callback waits for the end of its handle.
CREATE TABLE delivery (
  id UUID NOT NULL,
  company_id UUID NOT NULL,
  webhook_id TEXT NOT NULL,
  queue UUID NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  handle_type TEXT,
  handle_id UUID,
  run_id UUID,
  issue_id UUID,
  routine_run_id UUID,
  target_key_id UUID,
  target BYTEA,
  ended_at TIMESTAMPTZ(3),
  ended_status TEXT,
  body TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TIMESTAMPTZ(3),
  attempted_at TIMESTAMPTZ(3),
  answer_status INTEGER,
  answer TEXT,
  error TEXT,
  duration_ms INTEGER,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT delivery_pkey PRIMARY KEY (id),
  CONSTRAINT delivery_status_check CHECK (status IN ('waiting', 'pending', 'delivered', 'given_up')),
  CONSTRAINT delivery_due_check CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT delivery_handle_check CHECK (status <> 'waiting' OR num_nonnulls(run_id, issue_id, routine_run_id) = 1)
);
CREATE INDEX delivery_company_id_created_at_id_idx ON delivery (company_id, created_at, id);
CREATE INDEX delivery_handle_id_idx ON delivery (handle_id);
CREATE INDEX delivery_company_id_run_id_idx ON delivery (company_id, run_id);
CREATE INDEX delivery_company_id_issue_id_idx ON delivery (company_id, issue_id);
CREATE INDEX delivery_company_id_routine_run_id_idx ON delivery (company_id, routine_run_id);
CREATE INDEX delivery_company_id_target_key_id_idx ON delivery (company_id, target_key_id);
CREATE INDEX delivery_due ON delivery (queue, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX delivery_ended ON delivery (coalesce(attempted_at, created_at)) WHERE next_attempt_at IS NULL AND status <> 'waiting';
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_run_id_fkey
  FOREIGN KEY (company_id, run_id) REFERENCES heartbeat_run (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_routine_run_id_fkey
  FOREIGN KEY (company_id, routine_run_id) REFERENCES routine_run (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_target_key_id_fkey
  FOREIGN KEY (company_id, target_key_id) REFERENCES secret_key (company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Lets the triggers below pass over every row that no callback waits for, without a look at another table.
ALTER TABLE heartbeat_run ADD COLUMN has_callback BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE issue ADD COLUMN has_callback BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE routine_run ADD COLUMN has_callback BOOLEAN NOT NULL DEFAULT false;

-- Marks what a new callback waits for. The update waits for a transaction that ends the handle at this moment, and a handle
-- that has ended makes the callback due at once.
-- contract: only triggers of this migration call it
CREATE FUNCTION await_handle() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_ended BOOLEAN;
  found_status TEXT;
BEGIN
  IF NEW.run_id IS NOT NULL THEN
    UPDATE heartbeat_run SET has_callback = true WHERE company_id = NEW.company_id AND id = NEW.run_id
    RETURNING status NOT IN ('queued', 'running'), status INTO has_ended, found_status;
  ELSIF NEW.issue_id IS NOT NULL THEN
    UPDATE issue SET has_callback = true WHERE company_id = NEW.company_id AND id = NEW.issue_id
    RETURNING status IN ('done', 'cancelled'), status INTO has_ended, found_status;
  ELSE
    UPDATE routine_run SET has_callback = true WHERE company_id = NEW.company_id AND id = NEW.routine_run_id
    RETURNING completed_at IS NOT NULL, status INTO has_ended, found_status;
  END IF;
  IF has_ended THEN
    NEW.status := 'pending';
    NEW.ended_at := now();
    NEW.ended_status := found_status;
    NEW.next_attempt_at := now();
  END IF;
  RETURN NEW;
END $$;
-- contract: the previous version does not know the table
CREATE TRIGGER handle_is_awaited BEFORE INSERT ON delivery
  FOR EACH ROW WHEN (NEW.status = 'waiting') EXECUTE FUNCTION await_handle();

-- contract: only triggers of this migration call it
CREATE FUNCTION release_callbacks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE delivery SET status = 'pending', ended_at = now(), ended_status = NEW.status, next_attempt_at = now()
  WHERE company_id = NEW.company_id AND status = 'waiting' AND CASE TG_TABLE_NAME
    WHEN 'heartbeat_run' THEN run_id = NEW.id WHEN 'issue' THEN issue_id = NEW.id ELSE routine_run_id = NEW.id END;
  RETURN NULL;
END $$;
-- contract: it writes only rows of the new table
CREATE TRIGGER run_end_releases_callbacks AFTER UPDATE OF status ON heartbeat_run
  FOR EACH ROW WHEN (NEW.has_callback AND OLD.status IN ('queued', 'running') AND NEW.status NOT IN ('queued', 'running'))
  EXECUTE FUNCTION release_callbacks();
-- contract: it writes only rows of the new table
CREATE TRIGGER issue_end_releases_callbacks AFTER UPDATE OF status ON issue
  FOR EACH ROW WHEN (NEW.has_callback AND NEW.status IN ('done', 'cancelled') AND OLD.status <> NEW.status)
  EXECUTE FUNCTION release_callbacks();
-- contract: it writes only rows of the new table
CREATE TRIGGER routine_run_end_releases_callbacks AFTER UPDATE OF status ON routine_run
  FOR EACH ROW WHEN (NEW.has_callback AND NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL)
  EXECUTE FUNCTION release_callbacks();

-- A run that fails for a passing reason is tried again by another run, planned in the transaction of its end: the callback
-- waits for that one. A retry by a person comes after the call and moves nothing.
-- contract: only the trigger below calls it
CREATE FUNCTION move_callbacks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE delivery SET run_id = NEW.retried_by_run_id, status = 'waiting', ended_at = NULL, ended_status = NULL, next_attempt_at = NULL
  WHERE company_id = NEW.company_id AND run_id = NEW.id AND status = 'pending' AND ended_at = now()::timestamptz(3)
    AND attempts = 0 AND body IS NULL;
  IF FOUND THEN
    UPDATE heartbeat_run SET has_callback = true WHERE id = NEW.retried_by_run_id;
  END IF;
  RETURN NULL;
END $$;
-- contract: it marks runs for callbacks, which the previous version does not have
CREATE TRIGGER retry_takes_callbacks AFTER UPDATE OF retried_by_run_id ON heartbeat_run
  FOR EACH ROW WHEN (NEW.has_callback AND NEW.retried_by_run_id IS NOT NULL) EXECUTE FUNCTION move_callbacks();
