-- Turns one snapshot table into partitions by month of captured_at; see docs/partitions.md.
-- psql "$DATABASE_URL" -v table=market_snapshot -f partition-by-month.sql
-- Runs in one transaction. When run again, it adds the missing months.
BEGIN;
SELECT set_config('partition.table', :'table', true);
DO $$
DECLARE
  source text := current_setting('partition.table');
  plain text := source || '_plain';
  first date;
  month date;
  part text;
  index_definition text;
  reader record;
BEGIN
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', source);
  CREATE TEMPORARY TABLE readers ON COMMIT DROP AS
    WITH RECURSIVE found AS (
      SELECT to_regclass(quote_ident(source))::oid AS oid, 0 AS depth
      UNION
      SELECT rule.ev_class, found.depth + 1 FROM found
      JOIN pg_depend ON refobjid = found.oid AND classid = 'pg_rewrite'::regclass
      JOIN pg_rewrite rule ON rule.oid = objid AND rule.ev_class <> found.oid
    )
    SELECT oid::regclass::text AS name, pg_get_viewdef(oid) AS definition, max(depth) AS depth
    FROM found WHERE depth > 0 GROUP BY oid;
  FOR reader IN SELECT * FROM readers ORDER BY depth DESC LOOP
    EXECUTE 'DROP VIEW ' || reader.name;
  END LOOP;
  EXECUTE format('ALTER TABLE %I RENAME TO %I', source, plain);
  EXECUTE format(
    'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS) PARTITION BY RANGE (captured_at)', source, plain);
  EXECUTE format('SELECT date_trunc(''month'', min(captured_at) AT TIME ZONE ''UTC'') FROM %I', plain)
    INTO first;
  month := coalesce(first, date_trunc('month', now() AT TIME ZONE 'UTC')::date);
  WHILE month < date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 years' LOOP
    part := source || to_char(month, '_YYYY_MM');
    IF to_regclass(quote_ident(part)) IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %I RENAME TO %I', part, part || '_former');
    END IF;
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', part, source,
      month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00');
    month := month + interval '1 month';
  END LOOP;
  IF to_regclass(quote_ident(source || '_later')) IS NOT NULL THEN
    EXECUTE format('ALTER TABLE %I RENAME TO %I', source || '_later', source || '_later_former');
  END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', source || '_later', source);
  EXECUTE format('INSERT INTO %I SELECT * FROM %I', source, plain);
  EXECUTE format('ALTER SEQUENCE %I OWNED BY %I.id', source || '_id_seq', source);
  CREATE TEMPORARY TABLE definitions ON COMMIT DROP AS
    SELECT replace(replace(pg_get_indexdef(indexrelid), plain, source), ' ON ONLY ', ' ON ') AS text
    FROM pg_index WHERE indrelid = plain::regclass AND NOT indisprimary;
  EXECUTE format('DROP TABLE %I', plain);
  FOR index_definition IN SELECT text FROM definitions LOOP
    EXECUTE index_definition;
  END LOOP;
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (id, captured_at)',
    source, source || '_pkey');
  EXECUTE format(
    'ALTER TABLE %I ADD CONSTRAINT %I FOREIGN KEY (collection_ref) REFERENCES collection (id)
     ON UPDATE CASCADE ON DELETE CASCADE', source, source || '_collection_ref_fkey');
  FOR reader IN SELECT * FROM readers ORDER BY depth LOOP
    EXECUTE 'CREATE VIEW ' || reader.name || ' AS ' || reader.definition;
  END LOOP;
END $$;
COMMIT;
