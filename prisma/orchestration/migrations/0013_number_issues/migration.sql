-- The last number that was given to an issue of the company. Numbers are taken in a statement of their own that commits at
-- once: the row of the company was locked until the commit of each new issue, one issue after another. No foreign key: the
-- transaction that founds a company may also make its first issues.
CREATE TABLE issue_counter (
  company_id UUID PRIMARY KEY,
  last_number INTEGER NOT NULL
);

-- The previous version counts in `company.issue_counter`; until it is gone both versions take numbers from one counter.
-- contract: it is called by the trigger below only
CREATE FUNCTION take_issue_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issue_counter AS counter VALUES (NEW.id, NEW.issue_counter)
  ON CONFLICT (company_id) DO UPDATE SET last_number = counter.last_number + NEW.issue_counter - OLD.issue_counter
  RETURNING last_number INTO NEW.issue_counter;
  RETURN NEW;
END $$;
-- contract: the number that the previous version reads back is the one it stores
CREATE TRIGGER issue_numbers_are_taken BEFORE UPDATE OF issue_counter ON company
  FOR EACH ROW WHEN (NEW.issue_counter > OLD.issue_counter) EXECUTE FUNCTION take_issue_numbers();

-- Behind the trigger, whose lock waits for issues in flight: a number that is taken before it is in the company's row.
INSERT INTO issue_counter (company_id, last_number) SELECT id, issue_counter FROM company;
