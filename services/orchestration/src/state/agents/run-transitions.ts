import { isActiveSql } from '../statuses/agent-status';
import { isFailureSql } from '../statuses/run-status';
export const isExternalSql = (agent: string) => `(${agent}.adapter_type = 'external')`;

export const beginsRunSql = (claimed: string) => `
  UPDATE agent beginning SET last_heartbeat_at = now(), updated_at = now(),
    status = CASE WHEN ${isActiveSql('beginning')} THEN 'running' ELSE beginning.status END
  FROM ${claimed} WHERE beginning.id = ${claimed}.agent_id`;

/**
 * SQL: updates the agent of the run in `ended` to idle, error or still running. A cancelled run
 * does not change the count of consecutive failures.
 */
export const endsRunSql = (ended: string) => `
  UPDATE agent ending SET updated_at = now(),
    consecutive_failures = CASE
      WHEN ${isFailureSql(ended)} THEN ending.consecutive_failures + 1
      WHEN ${ended}.status = 'cancelled' THEN ending.consecutive_failures
      ELSE 0 END,
    status = CASE
      WHEN NOT ${isActiveSql('ending')} THEN ending.status
      WHEN (SELECT o.id FROM heartbeat_run o
        WHERE o.agent_id = ${ended}.agent_id AND o.status = 'running' AND o.id <> ${ended}.id LIMIT 1)
        IS NOT NULL THEN 'running'
      WHEN ${isFailureSql(ended)} THEN 'error'
      ELSE 'idle' END,
    error_reason = CASE
      WHEN NOT ${isActiveSql('ending')} THEN ending.error_reason
      WHEN ${isFailureSql(ended)}
        THEN coalesce(${ended}.error, ${ended}.error_code, 'failed') END
  FROM ${ended} WHERE ending.id = ${ended}.agent_id
  RETURNING ending.id, ending.consecutive_failures, ${isActiveSql('ending')} AS is_active,
    ending.error_reason`;
