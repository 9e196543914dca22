-- Fills one company that is :days old: :issues, :comments, :runs, :activities, :agents and :projects give its size. psql -v issues=1000000 -v
-- comments=1000000 -v runs=1000000 -v activities=10000000 -v agents=1000 -v projects=50 -v days=365   -f seed.sql postgresql://… of an empty,
-- migrated database.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET synchronous_commit = off;
SET maintenance_work_mem = '512MB';

DO $$ BEGIN
  IF current_setting('is_superuser')::boolean THEN SET session_replication_role = replica; END IF;
END $$;

CREATE TEMP TABLE put_aside AS
  SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid IN ('issue'::regclass, 'issue_comment'::regclass, 'issue_label'::regclass,
      'search_entry'::regclass, 'heartbeat_run'::regclass, 'activity'::regclass)
    AND NOT i.indisunique;
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT p.name FROM put_aside p LOOP EXECUTE format('DROP INDEX %I', name); END LOOP;
END $$;

CREATE FUNCTION pg_temp.id_of(kind int, n bigint) RETURNS uuid IMMUTABLE LANGUAGE sql
  RETURN ('00000000-0000-7000-8' || kind || '00-' || lpad(to_hex(n), 12, '0'))::uuid;
CREATE FUNCTION pg_temp.time_of(n bigint, size bigint) RETURNS timestamptz STABLE LANGUAGE sql
  RETURN now() - (size - n) * (interval '1 day' * :days / size);
CREATE FUNCTION pg_temp.hash_of(n int) RETURNS int IMMUTABLE LANGUAGE sql
  RETURN (hashint4(n) & 2147483647) % 1000;
CREATE FUNCTION pg_temp.share_of(n bigint, rest int, size int) RETURNS bigint IMMUTABLE LANGUAGE sql
  RETURN CASE WHEN n % 5 = rest THEN 1 ELSE 2 + n % (size - 1) END;

INSERT INTO company (id, name, issue_prefix) VALUES (pg_temp.id_of(0, 1), 'Bench', 'BEN');
INSERT INTO issue_counter VALUES (pg_temp.id_of(0, 1), :issues);

INSERT INTO agent (id, company_id, name, name_key, role, adapter_type, adapter_config, created_at)
  SELECT pg_temp.id_of(1, n), pg_temp.id_of(0, 1), 'Agent ' || n, 'agent ' || n, 'engineer', 'process', '{"command": "true"}',
    pg_temp.time_of(n, :agents)
  FROM generate_series(1, :agents) n;

INSERT INTO project (id, company_id, name)
  SELECT pg_temp.id_of(2, n), pg_temp.id_of(0, 1), 'Project ' || n FROM generate_series(1, :projects) n;

CREATE FUNCTION pg_temp.words_of(n bigint, size bigint) RETURNS text IMMUTABLE LANGUAGE sql
  RETURN concat_ws(' ', 'word', 'half' || n % 2, 'hundredth' || n % 100, 'thousandth' || n % 1000, 'ten' || n % (size / 10),
    (SELECT string_agg('filler' || hashint4((n * 7 + f)::int) % 5000, ' ') FROM generate_series(1, 25) f));

INSERT INTO goal (id, company_id, title)
  SELECT pg_temp.id_of(8, n), pg_temp.id_of(0, 1), 'Goal ' || n FROM generate_series(1, 50) n;

INSERT INTO issue (id, company_id, issue_number, identifier, title, description, status, priority, priority_rank,
    assignee_agent_id, project_id, goal_id, parent_id, due_date, updated_at, created_at)
  SELECT pg_temp.id_of(3, n), pg_temp.id_of(0, 1), n, 'BEN-' || n, 'Issue ' || n, pg_temp.words_of(n, :issues),
    CASE WHEN h < 600 THEN 'done' WHEN h < 700 THEN 'cancelled' WHEN h < 850 THEN 'backlog' WHEN h < 940 THEN 'todo'
      WHEN h < 970 THEN 'in_review' WHEN h < 999 THEN 'blocked' ELSE 'in_progress' END,
    (ARRAY['critical', 'high', 'medium', 'low'])[rank + 1], rank,
    CASE WHEN n % 7 > 0 THEN pg_temp.id_of(1, pg_temp.share_of(n, 0, :agents)) END,
    pg_temp.id_of(2, pg_temp.share_of(n, 1, :projects)), pg_temp.id_of(8, pg_temp.share_of(n, 2, 50)),
    CASE WHEN n BETWEEN 2 AND 101 THEN pg_temp.id_of(3, 1) WHEN n % 5 = 0 THEN pg_temp.id_of(3, n / 10 + 102) END,
    CASE WHEN h % 2 = 0 THEN current_date + h / 10 END,
    least(now(), pg_temp.time_of(n, :issues) + h * interval '1 minute'), pg_temp.time_of(n, :issues)
  FROM (SELECT n, pg_temp.hash_of(n) AS h, hashint4(n + 7) & 3 AS rank FROM generate_series(1, :issues) n) s;

INSERT INTO issue_comment (id, company_id, issue_id, body, author_agent_id, created_at)
  SELECT pg_temp.id_of(4, n), pg_temp.id_of(0, 1),
    pg_temp.id_of(3, CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n % :issues END), pg_temp.words_of(n, :comments),
    pg_temp.id_of(1, pg_temp.share_of(n, 0, :agents)), pg_temp.time_of(n, :comments)
  FROM generate_series(1, :comments) n;

INSERT INTO label (id, company_id, name, key)
  SELECT pg_temp.id_of(9, n), pg_temp.id_of(0, 1), 'label ' || n, 'label ' || n FROM generate_series(1, 20) n;

INSERT INTO issue_label (company_id, issue_id, label_id)
  SELECT pg_temp.id_of(0, 1), pg_temp.id_of(3, n), pg_temp.id_of(9, 1) FROM generate_series(3, :issues, 3) n
  UNION ALL SELECT pg_temp.id_of(0, 1), pg_temp.id_of(3, n), pg_temp.id_of(9, 2 + (n / 100) % 18)
    FROM generate_series(100, :issues, 100) n
  UNION ALL SELECT pg_temp.id_of(0, 1), pg_temp.id_of(3, n), pg_temp.id_of(9, 20) FROM generate_series(1, 10) n;

INSERT INTO search_entry (company_id, kind, entity_id, at, title_words, words)
  SELECT company_id, kind, id, created_at, search_words(title) || scope,
    coalesce(search_words(title), '') || coalesce(search_words(body), '') || scope
  FROM (
    SELECT 'issue' AS kind, company_id, id, created_at, identifier || ' ' || title AS title, description AS body FROM issue
    UNION ALL SELECT 'comment', company_id, id, created_at, NULL, body FROM issue_comment
    UNION ALL SELECT 'agent', company_id, id, created_at, name, role FROM agent
    UNION ALL SELECT 'project', company_id, id, created_at, name, NULL FROM project
  ) source CROSS JOIN LATERAL array_to_tsvector(ARRAY[kind || '/' || company_id]) scope
  ON CONFLICT DO NOTHING;

DELETE FROM search_change;

INSERT INTO heartbeat_run (id, company_id, agent_id, status, source, error_code, issue_id, started_at, finished_at, created_at)
  SELECT pg_temp.id_of(5, n), pg_temp.id_of(0, 1), pg_temp.id_of(1, pg_temp.share_of(n, 0, :agents)),
    CASE WHEN h < 850 THEN 'succeeded' WHEN h < 930 THEN 'failed' WHEN h < 960 THEN 'timed_out' ELSE 'cancelled' END,
    'manual', CASE WHEN h BETWEEN 850 AND 929 THEN (ARRAY['adapter_exit', 'agent_failed', 'worker_lost'])[1 + n % 3]
      WHEN h BETWEEN 930 AND 959 THEN 'timeout' WHEN h >= 960 THEN 'cancelled' END,
    pg_temp.id_of(3, CASE WHEN n % (:runs / 1000) = 0 THEN 1 ELSE 1 + n % :issues END),
    at + h % 10 * interval '1 second', least(now(), at + h * interval '1 second'), at
  FROM (SELECT n, pg_temp.hash_of(n) AS h, pg_temp.time_of(n, :runs) AS at FROM generate_series(1, :runs) n) s;

INSERT INTO heartbeat_run (id, company_id, agent_id, status, source)
  SELECT pg_temp.id_of(6, n), pg_temp.id_of(0, 1), pg_temp.id_of(1, n), 'queued', 'manual'
  FROM generate_series(1, 20) n;

INSERT INTO approval (id, company_id, type, status, payload, requested_by_agent_id, created_at)
  SELECT pg_temp.id_of(9, n), pg_temp.id_of(0, 1), 'approve_ceo_strategy', 'pending',
    jsonb_build_object('title', 'Strategy ' || n, 'plan', repeat('text ', 100)), pg_temp.id_of(1, 1 + n % :agents),
    pg_temp.time_of(n, :issues)
  FROM generate_series(1, :issues / 100) n;

INSERT INTO approval_issue (company_id, approval_id, issue_id)
  SELECT pg_temp.id_of(0, 1), pg_temp.id_of(9, n), pg_temp.id_of(3, n * 3 + k)
  FROM generate_series(1, :issues / 100) n, generate_series(0, 2) k;

INSERT INTO routine (id, company_id, title, assignee_agent_id, project_id)
  SELECT pg_temp.id_of(2, 1000 + n), pg_temp.id_of(0, 1), 'Routine ' || n, pg_temp.id_of(1, n), pg_temp.id_of(2, 1)
  FROM generate_series(1, 100) n;

INSERT INTO routine_trigger (id, company_id, routine_id, kind, cron_expression, timezone, next_run_at)
  SELECT pg_temp.id_of(2, 2000 + n), pg_temp.id_of(0, 1), pg_temp.id_of(2, 1000 + n), 'schedule', '0 8 * * 1-5', 'UTC',
    now() + n * interval '1 hour'
  FROM generate_series(1, 100) n;

INSERT INTO routine_run (id, company_id, routine_id, source, status, linked_issue_id, completed_at, created_at)
  SELECT pg_temp.id_of(1, 1000000 + n), pg_temp.id_of(0, 1), pg_temp.id_of(2, 1001 + n % 100), 'schedule', 'completed',
    pg_temp.id_of(3, n), now(), pg_temp.time_of(n, :issues)
  FROM generate_series(1, :issues) n;

INSERT INTO activity (id, company_id, actor_type, actor_id, action, entity_type, entity_id, created_at)
  SELECT pg_temp.id_of(7, n), pg_temp.id_of(0, 1), 'agent', agent::text,
    CASE WHEN n % 1000 = 0 THEN 'agent.paused' WHEN n % 10 = 0 THEN 'issue.commented' ELSE 'issue.updated' END,
    CASE WHEN n % 1000 = 0 THEN 'agent' ELSE 'issue' END,
    CASE WHEN n % 1000 = 0 THEN agent WHEN n % (:activities / 2000) = 1 THEN pg_temp.id_of(3, 1)
      ELSE pg_temp.id_of(3, 1 + n % :issues) END,
    pg_temp.time_of(n, :activities)
  FROM (
    SELECT n, pg_temp.id_of(1, pg_temp.share_of(n, 0, :agents)) AS agent FROM generate_series(1, :activities) n
  ) s;

DO $$ DECLARE definition text; BEGIN
  FOR definition IN SELECT p.definition FROM put_aside p LOOP EXECUTE definition; END LOOP;
END $$;
-- Counts at the end, as the migration does, because the triggers did not count the rows above.
DELETE FROM status_change;
DELETE FROM status_tally;
INSERT INTO status_tally (company_id, counted, day, status, n)
  SELECT company_id, 'issue', '-infinity', status, count(*) FROM issue GROUP BY company_id, status;
DELETE FROM issue_tally_change;
DELETE FROM issue_tally;
INSERT INTO issue_tally (company_id, owner_id, status, n)
  SELECT company_id, owner_id, status, count(*)
  FROM issue CROSS JOIN LATERAL unnest(ARRAY[project_id, goal_id, assignee_agent_id]) AS owner_id
  WHERE owner_id IS NOT NULL GROUP BY company_id, owner_id, status;
INSERT INTO status_tally (company_id, counted, day, status, n)
  SELECT company_id, 'heartbeat_run', (created_at AT TIME ZONE 'UTC')::date AS day, status, count(*)
  FROM heartbeat_run WHERE status NOT IN ('queued', 'running') AND created_at > now() - interval '30 days'
  GROUP BY company_id, day, status
  UNION ALL SELECT company_id, 'run_failure', (created_at AT TIME ZONE 'UTC')::date AS day, error_code, count(*)
  FROM heartbeat_run WHERE status IN ('failed', 'timed_out') AND created_at > now() - interval '30 days'
  GROUP BY company_id, day, error_code;

INSERT INTO status_tally (company_id, counted, day, status, n)
  SELECT company_id, 'label', '-infinity', label_id::text, count(*) FROM issue_label GROUP BY company_id, label_id;

RESET session_replication_role;

VACUUM ANALYZE;
