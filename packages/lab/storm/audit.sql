SELECT 'runs' AS kind, id, status, attempt, epoch, wake_reasons, cost_cents::int AS cents FROM heartbeat_run;

SELECT 'issues' AS kind, id, title FROM issue;

SELECT 'ends' AS kind, entity_id AS run, count(*)::int AS ends FROM activity
WHERE entity_type = 'heartbeat_run'
  AND action IN ('heartbeat.succeeded', 'heartbeat.failed', 'heartbeat.timed_out', 'heartbeat.cancelled')
GROUP BY entity_id;

SELECT 'starts' AS kind, entity_id AS run, count(*)::int AS starts FROM activity
WHERE action = 'heartbeat.started' GROUP BY entity_id;

SELECT 'costs' AS kind, run_id AS run, count(*)::int AS events, sum(cost_cents)::int AS cents FROM cost_event GROUP BY run_id;

SELECT 'months' AS kind, sum(cost_cents)::int AS cents FROM agent_month;

SELECT 'wakes' AS kind, id, status FROM agent_wakeup WHERE status = 'pending';

SELECT 'overlaps' AS kind, agent_id FROM heartbeat_run WHERE status = 'running' GROUP BY agent_id HAVING count(*) > 1;
