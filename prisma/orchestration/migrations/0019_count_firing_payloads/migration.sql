-- Payloads of firings count as text of their company. Writes to these tables wait until the payloads of all firings are counted.
-- Takes every lock before anything is changed, and gives them back while a transaction that writes to several of the tables is
-- under way: neither waits for the other.
-- contract: writes of the previous version wait, and none fails
DO $$
BEGIN
  LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '200ms', true);
      LOCK TABLE company, routine_run, company_text IN SHARE ROW EXCLUSIVE MODE;
      PERFORM set_config('lock_timeout', '0', true);
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END;
  END LOOP;
END $$;

-- contract: a new function, which only the triggers below call
CREATE FUNCTION count_firing_payload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN PERFORM add_company_text(NEW.company_id, octet_length(NEW.payload::text));
    WHEN 'DELETE' THEN PERFORM add_company_text(OLD.company_id, -octet_length(OLD.payload::text));
  END CASE;
  RETURN NULL;
END $$;

-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER firing_payload_is_counted AFTER INSERT ON routine_run
  FOR EACH ROW WHEN (NEW.payload IS NOT NULL) EXECUTE FUNCTION count_firing_payload();
-- contract: the previous version's writes go on, and are counted
CREATE TRIGGER deleted_firing_payload_is_counted AFTER DELETE ON routine_run
  FOR EACH ROW WHEN (OLD.payload IS NOT NULL) EXECUTE FUNCTION count_firing_payload();

INSERT INTO company_text (company_id, bytes)
SELECT company_id, sum(octet_length(payload::text)) FROM routine_run WHERE payload IS NOT NULL GROUP BY company_id;
