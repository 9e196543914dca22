-- Days by which issues are due.
ALTER TABLE "issue" ADD COLUMN "due_date" DATE;

-- Words that issues are filed under. `key` is the name as it is compared: without case.
CREATE TABLE "label" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "color" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "label_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "issue_label" (
    "company_id" UUID NOT NULL,
    "issue_id" UUID NOT NULL,
    "label_id" UUID NOT NULL,

    CONSTRAINT "issue_label_pkey" PRIMARY KEY ("issue_id", "label_id")
);

CREATE UNIQUE INDEX "label_company_id_id_key" ON "label"("company_id", "id");
CREATE UNIQUE INDEX "label_company_id_key_key" ON "label"("company_id", "key");
CREATE INDEX "label_company_id_created_at_id_idx" ON "label"("company_id", "created_at", "id");
CREATE INDEX "issue_label_company_id_label_id_issue_id_idx" ON "issue_label"("company_id", "label_id", "issue_id");

ALTER TABLE "label" ADD CONSTRAINT "label_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "issue_label" ADD CONSTRAINT "issue_label_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "issue_label" ADD CONSTRAINT "issue_label_company_id_label_id_fkey" FOREIGN KEY ("company_id", "label_id") REFERENCES "label"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- How many issues have a label is tallied as statuses are: to count links would take longer with each of them.
-- contract: makes a function that the release before does not know
CREATE FUNCTION "record_issue_labels"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO status_change (company_id, counted, day, status, n)
  SELECT company_id, 'label', '-infinity', label_id::text, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY company_id, label_id;
  RETURN NULL;
END $$;

-- contract: stands on a table that the release before does not know
CREATE TRIGGER "issue_labels_are_tallied" AFTER INSERT ON "issue_label"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "record_issue_labels"();
-- contract: stands on a table that the release before does not know
CREATE TRIGGER "lost_issue_labels_are_tallied" AFTER DELETE ON "issue_label"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "record_issue_labels"();

-- One index for each order of the list of issues, one status after the other, as the list by priority has it.
CREATE INDEX IF NOT EXISTS "issue_list_by_update" ON "issue"("company_id", "status", "updated_at", "id");
CREATE INDEX IF NOT EXISTS "issue_list_by_creation" ON "issue"("company_id", "status", "created_at", "id");
-- What the Prisma schema cannot say: issues that are due on no day come last.
CREATE INDEX IF NOT EXISTS "issue_list_by_due_date" ON "issue"("company_id", "status", (coalesce("due_date", 'infinity'::date)), "priority_rank", "created_at", "id");

-- Of a parent and of a goal in the order of the list; they begin with the columns of those that they replace.
CREATE INDEX IF NOT EXISTS "issue_list_of_parent" ON "issue"("company_id", "parent_id", "status", "priority_rank", "created_at", "id");
CREATE INDEX IF NOT EXISTS "issue_list_of_goal" ON "issue"("company_id", "goal_id", "status", "priority_rank", "created_at", "id");
-- contract: "issue_list_of_parent" serves whatever it served
DROP INDEX "issue_company_id_parent_id_idx";
-- contract: "issue_list_of_goal" serves whatever it served
DROP INDEX "issue_company_id_goal_id_idx";

-- What is searched, one row for each issue, comment, document, agent and project. A table beside theirs, because a
-- generated column would rewrite them, and an index on an expression would have each page compute all words anew.
CREATE TABLE "search_entry" (
    "company_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "entity_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "title_words" TSVECTOR,
    "words" TSVECTOR NOT NULL,

    CONSTRAINT "search_entry_pkey" PRIMARY KEY ("entity_id", "kind")
);

-- Where words are frequent, the newest entries are read in this order until enough have them.
CREATE INDEX "search_entry_company_id_kind_at_entity_id_idx" ON "search_entry"("company_id", "kind", "at", "entity_id");
-- Where they are rare. Without a list of pending words, which one writer in many would have to sort in.
CREATE INDEX "search_entry_words" ON "search_entry" USING GIN ("words") WITH (fastupdate = off);
CREATE INDEX "search_entry_title_words" ON "search_entry" USING GIN ("title_words") WITH (fastupdate = off) WHERE "title_words" IS NOT NULL;

-- Up to where the rows that were there before have been entered; a sweep enters them in batches, and removes the row of a
-- kind that it has finished.
CREATE TABLE "search_backfill" (
    "kind" TEXT NOT NULL,
    "after_id" UUID NOT NULL,

    CONSTRAINT "search_backfill_pkey" PRIMARY KEY ("kind")
);

INSERT INTO "search_backfill" ("kind", "after_id") SELECT kind, '00000000-0000-0000-0000-000000000000'
  FROM unnest(ARRAY['issue', 'agent', 'project', 'document', 'comment']) kind;

-- Letters as they are compared: without case, and without marks in Latin and Greek script. By a table, because a database
-- of the locale C knows no case beyond ASCII, and because normalizing takes quadratic time on what a sender can make up.
-- contract: makes a function that the release before does not know
CREATE FUNCTION "search_fold"("t" TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF octet_length(t) = char_length(t) THEN
    RETURN lower(t);
  END IF;
  RETURN replace(replace(replace(lower(translate(regexp_replace(t, '[\u0300-\u036f]+', '', 'g'),
      'ÆŒẞÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝàáâãäåçèéêëìíîïðñòóôõöøùúûüýÿĀāĂăĄąĆćĈĉĊċ'
      'ČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŔŕŖŗŘřŚśŜŝ'
      'ŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžȘșȚțẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặẸẹẺẻẼẽẾếỀềỂ'
      'ểỄễỆệỈỉỊịỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợỤụỦủỨứỪừỬửỮữỰựỲỳỴỵỶỷỸỹΆΈΉΊΌΎΏΐΑΒΓΔΕΖΗΘΙ'
      'ΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫάέήίΰςϊϋόύώЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫ'
      'ЬЭЮЯѐёѓќѝў'
      '“”„‟‘’‚‛«»‹›–—―…·•‒′″¡¿×÷ ',
      'æœßaaaaaaceeeeiiiidnoooooouuuuyaaaaaaceeeeiiiidnoooooouuuuyyaaaaaacccccc'
      'ccddddeeeeeeeeeegggggggghhhhiiiiiiiiiijjkkllllllllnnnnnnoooooorrrrrrssss'
      'ssssttttttuuuuuuuuuuuuwwyyyzzzzzzssttaaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeee'
      'eeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyyαεηιουωιαβγδεζηθι'
      'κλμνξοπρστυφχψωιυαεηιυσιυουωееђгєѕіїјљњћкиуџабвгдежзийклмнопрстуфхцчшщъы'
      'ьэюяеегкиу'
      '                          ')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
END $$;

-- The words of a text. Punctuation separates them, so that a part of a path, an address or a name in code is found by
-- itself. No stemming: names and identifiers have none, and texts are of any language. The bound keeps an entry far below
-- the size that PostgreSQL refuses, and a large document from holding its writer up.
-- contract: makes a function that the release before does not know
CREATE FUNCTION "search_words"("t" TEXT) RETURNS TSVECTOR LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN to_tsvector('pg_catalog.simple', translate(search_fold(left(t, 50000)),
    '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)));
END $$;

-- In PL/pgSQL, which keeps its plans; functions in SQL are planned anew at each call.
-- Enters or changes one row. A word that nobody can type stands for its kind and company, so that the index of words keeps
-- companies apart: what is frequent in one costs another nothing.
-- contract: makes a function that the release before does not know
CREATE FUNCTION "search_enter"("kind" TEXT, "company_id" UUID, "entity_id" UUID, "at" TIMESTAMPTZ, "title" TEXT, "body" TEXT)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  scope CONSTANT tsvector := array_to_tsvector(ARRAY[$1 || '/' || $2]);
  of_title CONSTANT tsvector := search_words($5);
BEGIN
  INSERT INTO search_entry (company_id, kind, entity_id, at, title_words, words)
  VALUES ($2, $1, $3, $4, of_title || scope, coalesce(of_title, '') || coalesce(search_words($6), '') || scope)
  ON CONFLICT ON CONSTRAINT search_entry_pkey DO UPDATE
    SET at = excluded.at, title_words = excluded.title_words, words = excluded.words;
END $$;

-- Triggers, because a process of the release before writes too, and knows no entries. Their conditions are looked at
-- without a call, and most updates do not meet them.
-- contract: makes a function that the release before does not know
CREATE FUNCTION "enter_issue"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_enter('issue', NEW.company_id, NEW.id, NEW.created_at, NEW.identifier || ' ' || NEW.title, NEW.description);
  RETURN NULL;
END $$;

-- contract: makes a function that the release before does not know
CREATE FUNCTION "enter_comment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_enter('comment', NEW.company_id, NEW.id, NEW.created_at, NULL, NEW.body);
  RETURN NULL;
END $$;

-- A revision is inserted when it becomes the latest.
-- contract: makes a function that the release before does not know
CREATE FUNCTION "enter_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_enter('document', NEW.company_id, NEW.document_id, NEW.created_at, NEW.title, NEW.body);
  RETURN NULL;
END $$;

-- contract: makes a function that the release before does not know
CREATE FUNCTION "enter_agent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_enter('agent', NEW.company_id, NEW.id, NEW.created_at, NEW.name, concat_ws(' ', NEW.role, NEW.title, NEW.capabilities));
  RETURN NULL;
END $$;

-- contract: makes a function that the release before does not know
CREATE FUNCTION "enter_project"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_enter('project', NEW.company_id, NEW.id, NEW.created_at, NEW.name, NEW.description);
  RETURN NULL;
END $$;

-- contract: makes a function that the release before does not know
CREATE FUNCTION "leave_search"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_entry WHERE kind = TG_ARGV[0] AND entity_id = OLD.id;
  RETURN NULL;
END $$;

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "issue_is_searched" AFTER INSERT ON "issue"
  FOR EACH ROW EXECUTE FUNCTION "enter_issue"();
-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "issue_comment_is_searched" AFTER INSERT ON "issue_comment"
  FOR EACH ROW EXECUTE FUNCTION "enter_comment"();
-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "document_revision_is_searched" AFTER INSERT ON "document_revision"
  FOR EACH ROW EXECUTE FUNCTION "enter_document"();
-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "agent_is_searched" AFTER INSERT ON "agent"
  FOR EACH ROW EXECUTE FUNCTION "enter_agent"();
-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "project_is_searched" AFTER INSERT ON "project"
  FOR EACH ROW EXECUTE FUNCTION "enter_project"();

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "changed_issue_is_searched" AFTER UPDATE OF "identifier", "title", "description" ON "issue"
  FOR EACH ROW WHEN ((OLD.identifier, OLD.title, OLD.description) IS DISTINCT FROM (NEW.identifier, NEW.title, NEW.description))
  EXECUTE FUNCTION "enter_issue"();
-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "changed_issue_comment_is_searched" AFTER UPDATE OF "body" ON "issue_comment"
  FOR EACH ROW WHEN (OLD.body IS DISTINCT FROM NEW.body)
  EXECUTE FUNCTION "enter_comment"();
-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "changed_agent_is_searched" AFTER UPDATE OF "name", "role", "title", "capabilities" ON "agent"
  FOR EACH ROW WHEN ((OLD.name, OLD.role, OLD.title, OLD.capabilities) IS DISTINCT FROM (NEW.name, NEW.role, NEW.title, NEW.capabilities))
  EXECUTE FUNCTION "enter_agent"();
-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "changed_project_is_searched" AFTER UPDATE OF "name", "description" ON "project"
  FOR EACH ROW WHEN ((OLD.name, OLD.description) IS DISTINCT FROM (NEW.name, NEW.description))
  EXECUTE FUNCTION "enter_project"();

-- contract: removes rows of a table that the release before does not know
CREATE TRIGGER "deleted_issue_is_not_searched" AFTER DELETE ON "issue"
  FOR EACH ROW EXECUTE FUNCTION "leave_search"('issue');
-- contract: removes rows of a table that the release before does not know
CREATE TRIGGER "deleted_issue_comment_is_not_searched" AFTER DELETE ON "issue_comment"
  FOR EACH ROW EXECUTE FUNCTION "leave_search"('comment');
-- contract: removes rows of a table that the release before does not know
CREATE TRIGGER "deleted_issue_document_is_not_searched" AFTER DELETE ON "issue_document"
  FOR EACH ROW EXECUTE FUNCTION "leave_search"('document');
-- contract: removes rows of a table that the release before does not know
CREATE TRIGGER "deleted_agent_is_not_searched" AFTER DELETE ON "agent"
  FOR EACH ROW EXECUTE FUNCTION "leave_search"('agent');
-- contract: removes rows of a table that the release before does not know
CREATE TRIGGER "deleted_project_is_not_searched" AFTER DELETE ON "project"
  FOR EACH ROW EXECUTE FUNCTION "leave_search"('project');
