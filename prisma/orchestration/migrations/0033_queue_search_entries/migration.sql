-- Rows whose search entry is out of date. Writers only insert here: the words of a long text take longer than the rest of
-- its write. Workers bring the entries up to date, and a search does so for its own company before it looks.
CREATE TABLE "search_change" (
    "company_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "entity_id" UUID NOT NULL,

    CONSTRAINT "search_change_pkey" PRIMARY KEY ("company_id", "id")
);

-- The triggers stay; what they call records that a row changed instead of computing its words.
-- contract: the release before has no part in it but its triggers, whichever function they call
CREATE OR REPLACE FUNCTION "enter_issue"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'issue', NEW.id);
  RETURN NULL;
END $$;

-- contract: the release before has no part in it but its triggers, whichever function they call
CREATE OR REPLACE FUNCTION "enter_comment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'comment', NEW.id);
  RETURN NULL;
END $$;

-- contract: the release before has no part in it but its triggers, whichever function they call
CREATE OR REPLACE FUNCTION "enter_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'document', NEW.document_id);
  RETURN NULL;
END $$;

-- contract: the release before has no part in it but its triggers, whichever function they call
CREATE OR REPLACE FUNCTION "enter_agent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'agent', NEW.id);
  RETURN NULL;
END $$;

-- contract: the release before has no part in it but its triggers, whichever function they call
CREATE OR REPLACE FUNCTION "enter_project"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'project', NEW.id);
  RETURN NULL;
END $$;

-- The entry goes at once, because a search of the release before cannot show one without its row. It is looked at once
-- more behind the commit: a worker that still saw the row may enter it meanwhile.
-- contract: the release before has no part in it but its triggers, whichever function they call
CREATE OR REPLACE FUNCTION "leave_search"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_entry WHERE kind = TG_ARGV[0] AND entity_id = OLD.id;
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (OLD.company_id, TG_ARGV[0], OLD.id);
  RETURN NULL;
END $$;
