-- One equality of names: `name_key` is the folded form (`state/names/unique-names.ts`), unique where names are.
-- Rows that the previous version writes have none; they stay unique by `lower(name)`, whose indexes remain.
ALTER TABLE "agent" ADD COLUMN "name_key" TEXT;
ALTER TABLE "runner" ADD COLUMN "name_key" TEXT;
ALTER TABLE "saved_view" ADD COLUMN "name_key" TEXT;
ALTER TABLE "secret" ADD COLUMN "name_key" TEXT;

-- The rule for names that are equal now and were not before: the oldest row has the key, the others have it with their id
-- behind it. All keep their names; one that is renamed needs a name of its own. Labels have had a key from the beginning:
-- the oldest takes over the new form where no other label has it. Case is folded for ASCII letters here, and for all others
-- when the name is next written.
WITH named AS (
  SELECT id, name, created_at, concat('agent', company_id, status = 'terminated') AS scope FROM "agent"
  UNION ALL SELECT id, name, created_at, concat('runner', company_id, revoked_at IS NULL) FROM "runner"
  UNION ALL SELECT id, name, created_at, concat('view', company_id, user_id, screen) FROM "saved_view"
  UNION ALL SELECT id, name, created_at, concat('secret', company_id) FROM "secret"
  UNION ALL SELECT id, key, created_at, concat('label', company_id) FROM "label"
), folded AS (
  SELECT *, lower(replace(btrim(regexp_replace(regexp_replace(normalize(name, NFKC),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]', '', 'g'),
    '\s+', ' ', 'g')), 'ß', 'ss')) AS folded FROM named
), counted AS (
  SELECT id, scope, folded, row_number() OVER (PARTITION BY scope, folded ORDER BY created_at, id) AS nth FROM folded
), keyed AS (
  SELECT id, scope, nth, CASE nth WHEN 1 THEN folded ELSE folded || ' ' || id END AS key FROM counted
), agents AS (UPDATE "agent" a SET name_key = k.key FROM keyed k WHERE k.id = a.id AND k.scope LIKE 'agent%')
, runners AS (UPDATE "runner" r SET name_key = k.key FROM keyed k WHERE k.id = r.id AND k.scope LIKE 'runner%')
, views AS (UPDATE "saved_view" v SET name_key = k.key FROM keyed k WHERE k.id = v.id AND k.scope LIKE 'view%')
, secrets AS (UPDATE "secret" s SET name_key = k.key FROM keyed k WHERE k.id = s.id AND k.scope LIKE 'secret%')
UPDATE "label" l SET key = k.key FROM keyed k
WHERE k.id = l.id AND k.scope LIKE 'label%' AND k.nth = 1
  AND NOT EXISTS (SELECT FROM "label" other WHERE other.company_id = l.company_id AND other.key = k.key);

CREATE UNIQUE INDEX "agent_name_key_key" ON "agent"("company_id", "name_key") WHERE "status" <> 'terminated';
CREATE UNIQUE INDEX "runner_name_key_key" ON "runner"("company_id", "name_key") WHERE "revoked_at" IS NULL;
CREATE UNIQUE INDEX "saved_view_name_key_key" ON "saved_view"("company_id", "user_id", "screen", "name_key");
CREATE UNIQUE INDEX "secret_company_id_name_key_key" ON "secret"("company_id", "name_key");
