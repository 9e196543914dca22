import { isExternalSql } from '../../agents/run-transitions';
import { isActiveSql } from '../../statuses/agent-status';

export const waitsForSql = ({ run, agent, company, companyId, maxRunning }: WaitingSql): string => `
  CASE
    WHEN ${run}.not_before > now() THEN 'retry_time'
    WHEN ${company}.status <> 'active' OR NOT ${isActiveSql(agent)} THEN 'agent_stopped'
    WHEN ${runningOf(`o.agent_id = ${agent}.id`)} >= ${agent}.max_concurrent_runs THEN 'agent'
    WHEN ${isExternalSql(agent)} THEN 'agent_fetch'
    WHEN ${maxRunning} > 0 AND ${runningOf(`o.company_id = ${companyId}`)} >= ${maxRunning}
      THEN 'company_limit'
    ELSE 'worker' END`;

type WaitingSql = Record<'run' | 'agent' | 'company' | 'companyId' | 'maxRunning', string>;

const runningOf = (where: string) =>
  `(SELECT count(*) FROM heartbeat_run o WHERE o.status = 'running' AND ${where})`;
