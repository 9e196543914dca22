export async function addRoutines(pool, count) {
  await pool.query(
    `WITH company AS (
       INSERT INTO company (id, name, issue_prefix) VALUES (gen_random_uuid(), 'Idle', 'IDL') RETURNING id
     ), agents AS (
       INSERT INTO agent (id, company_id, name, role, adapter_type, adapter_config)
       SELECT gen_random_uuid(), company.id, 'Agent ' || n, 'engineer', 'process', '{"command": "true"}'
       FROM company, generate_series(1, $1::int) n RETURNING id, company_id
     ), project AS (
       INSERT INTO project (id, company_id, name)
       SELECT gen_random_uuid(), id, 'Project' FROM company RETURNING id
     ), routines AS (
       INSERT INTO routine (id, company_id, title, assignee_agent_id, project_id)
       SELECT gen_random_uuid(), company_id, 'Routine', agents.id, project.id FROM agents, project
       RETURNING id, company_id
     )
     INSERT INTO routine_trigger (id, company_id, routine_id, kind, cron_expression, timezone, next_run_at)
     SELECT gen_random_uuid(), company_id, id, 'schedule', '0 0 1 1 *', 'UTC', now() + interval '300 days'
     FROM routines`,
    [count],
  );
}
