/** SQL: an agent in one of these goes on by itself when a run of it begins or ends. */
export const isActiveSql = (agent: string) => `${agent}.status IN ('idle', 'running', 'error')`;

/** SQL: an agent that fetches its runs; no worker starts them. */
export const isExternalSql = (agent: string) => `(${agent}.adapter_type = 'external')`;

/** SQL: what the start of the runs in `claimed` makes of their agents, as a part of the statement that starts them. */
export const beginsRunSql = (claimed: string) => `
  UPDATE agent beginning SET last_heartbeat_at = now(), updated_at = now(),
    status = CASE WHEN ${isActiveSql('beginning')} THEN 'running' ELSE beginning.status END
  FROM ${claimed} WHERE beginning.id = ${claimed}.agent_id`;

/** SQL: whether a run with this status counts among the failures in a row of its agent. */
export const isFailureSql = (status: string) => `(${status} IN ('failed', 'timed_out'))`;

/**
 * SQL: what the end of the run in `ended` makes of its agent: idle, in error, or still running. A cancelled run leaves the
 * failures in a row as they are.
 */
export const endsRunSql = (ended: string) => `
  UPDATE agent ending SET updated_at = now(),
    consecutive_failures = CASE
      WHEN ${isFailureSql(`${ended}.status`)} THEN ending.consecutive_failures + 1
      WHEN ${ended}.status = 'cancelled' THEN ending.consecutive_failures
      ELSE 0 END,
    status = CASE
      WHEN NOT ${isActiveSql('ending')} THEN ending.status
      WHEN (SELECT o.id FROM heartbeat_run o
        WHERE o.agent_id = ${ended}.agent_id AND o.status = 'running' AND o.id <> ${ended}.id LIMIT 1)
        IS NOT NULL THEN 'running'
      WHEN ${isFailureSql(`${ended}.status`)} THEN 'error'
      ELSE 'idle' END,
    error_reason = CASE
      WHEN NOT ${isActiveSql('ending')} THEN ending.error_reason
      WHEN ${isFailureSql(`${ended}.status`)}
        THEN coalesce(${ended}.error, ${ended}.error_code, 'failed') END
  FROM ${ended} WHERE ending.id = ${ended}.agent_id
  RETURNING ending.id, ending.consecutive_failures, ${isActiveSql('ending')} AS is_active,
    ending.error_reason`;
