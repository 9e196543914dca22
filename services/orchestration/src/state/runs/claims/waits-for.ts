import { isExternalSql } from '../../agents/run-transitions';
import { isActiveSql } from '../../statuses/agent-status';
import { claimOrderSql, isReadySql } from './claim-order';

export const waitsForSql = ({ run, agent, company, companyId, maxRunning }: WaitingSql): string => `
  CASE
    WHEN ${run}.not_before > now() THEN 'retry_time'
    WHEN ${company}.status <> 'active' OR NOT ${isActiveSql(agent)} THEN 'agent_stopped'
    WHEN ${runningOf(`o.agent_id = ${agent}.id`)} >= ${agent}.max_concurrent_runs THEN 'agent'
    WHEN ${isExternalSql(agent)} THEN 'agent_fetch'
    WHEN ${maxRunning} > 0 AND ${runningOf(`o.company_id = ${companyId}`)} >= ${maxRunning}
      THEN 'company_limit'
    ELSE 'worker' END`;

export const competesSql = (waitsFor: string): string =>
  `${waitsFor} IN ('worker', 'company_limit')`;

/**
 * SQL: the place of `run` in the company's order of claims, from 1. Also counts waiting runs
 * whose agent is busy.
 */
export const positionSql = (run: string): string => `(
  SELECT count(*)::int + 1 FROM heartbeat_run o
  WHERE o.company_id = ${run}.company_id AND o.status = 'queued' AND ${isReadySql('o')}
    AND (${claimOrderSql('o')}) < (${claimOrderSql(run)}))`;

const STARTS_FOR_ESTIMATE = 10;

export const expectedStartSql = (companyId: string, position: string): string => `(
  SELECT now() + interval '1 hour' * ${position} / n FROM (
    SELECT count(*) AS n FROM activity s WHERE s.company_id = ${companyId}
      AND s.action = 'heartbeat.started' AND s.created_at > now() - interval '1 hour') recent
  WHERE n >= ${STARTS_FOR_ESTIMATE})`;

type WaitingSql = Record<'run' | 'agent' | 'company' | 'companyId' | 'maxRunning', string>;

const runningOf = (where: string) =>
  `(SELECT count(*) FROM heartbeat_run o WHERE o.status = 'running' AND ${where})`;
