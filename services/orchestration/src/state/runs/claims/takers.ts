import type { Context } from '../../../kernel/context';
import { isExternalSql } from '../../agents/run-transitions';

export interface Taker {
  kind: 'worker' | 'runner' | 'agent';
  labels: string[];
  companyId: string | null;
}

export const WORKER: Taker = { kind: 'worker', labels: [], companyId: null };
export const AGENT: Taker = { kind: 'agent', labels: [], companyId: null };

export const TAKER = {
  taker: 'text',
  runnerTypes: 'text[]',
  labels: 'text[]',
  ofCompany: 'uuid?',
} as const;

export function takerValues(context: Pick<Context, 'adapters'>, taker: Taker) {
  const { kind, labels, companyId: ofCompany } = taker;
  return { taker: kind, runnerTypes: context.adapters.runnerTypes, labels, ofCompany };
}

type Parameters = Readonly<Record<keyof typeof TAKER, string>>;

/**
 * SQL: true if the taker may take the agent's runs. A runner must have all labels of the agent; a
 * company's runner only takes runs of agents with labels.
 */
export const isForTakerSql = (agent: string, p: Parameters) => `(CASE ${p.taker}
  WHEN 'agent' THEN ${isExternalSql(agent)}
  WHEN 'runner' THEN ${isForRunnersSql(agent, p)} AND ${labelsSql(agent)} <@ to_jsonb(${p.labels})
    AND (${p.ofCompany} IS NULL
      OR (${agent}.company_id = ${p.ofCompany} AND ${labelsSql(agent)} <> '[]'))
  ELSE NOT ${isExternalSql(agent)} AND NOT ${isForRunnersSql(agent, p)} END)`;

const isForRunnersSql = (agent: string, p: Pick<Parameters, 'runnerTypes'>) =>
  `${agent}.adapter_type = ANY (${p.runnerTypes})`;

const labelsSql = (agent: string) =>
  `coalesce(${agent}.adapter_config->'runnerLabels', '[]'::jsonb)`;

/**
 * SQL: true if the lease of a running run has expired and others may take the run. A runner cannot
 * renew its lease while PostgreSQL or this process is down. After a restart of either one, the
 * runner therefore has a full lease length to renew. `takeOverAfterMs` is null until this process
 * has run for the length of a lease.
 */
export const isExpiredSql = (run: string, takeOverAfterMs: string) => `(${run}.status = 'running'
  AND ${run}.lease_expires_at < clock_timestamp()
  AND (${run}.runner_instance IS NULL
    OR clock_timestamp() > pg_postmaster_start_time() + ${takeOverAfterMs} * interval '1 millisecond'))`;

export function takeOverAfterMs({ config }: Pick<Context, 'config'>): number | null {
  const { leaseMs } = config.runner;
  return performance.now() < leaseMs ? null : leaseMs;
}
