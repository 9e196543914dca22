import { isAtWorkSql } from '../../agents/may-start';
import { isExternalSql } from '../../agents/run-transitions';
import { claimOrderSql, hasRoomSql, isReadySql } from './claim-order';
import { isLimitedSql } from './run-limits';

export const waitsForSql = ({ run, agent, company, companyId, maxRunning }: WaitingSql): string => `
  CASE
    WHEN NOT ${isReadySql(run)} THEN 'retry_time'
    WHEN NOT ${isAtWorkSql(agent, company)} THEN 'agent_stopped'
    WHEN NOT ${hasRoomSql(agent)} THEN 'agent'
    WHEN ${isLimitedSql(agent, companyId)} THEN 'limit'
    WHEN ${isExternalSql(agent)} THEN 'agent_fetch'
    WHEN ${maxRunning} > 0 AND (SELECT count(*) FROM heartbeat_run o
      WHERE o.company_id = ${companyId} AND o.status = 'running') >= ${maxRunning}
      THEN 'company_limit'
    ELSE 'worker' END`;

export const competesSql = (waitsFor: string): string =>
  `${waitsFor} IN ('worker', 'limit', 'company_limit')`;

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
