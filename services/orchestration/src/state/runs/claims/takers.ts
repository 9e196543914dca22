import type { Context } from '../../../context';
import { isExternalSql } from '../../agents/run-transitions';

/** Who takes runs. The adapter of an agent decides for which of them its runs are, its `runnerLabels` for which runner. */
export interface Taker {
  kind: 'worker' | 'runner' | 'agent';
  labels: string[];
  /** Of a runner that serves one company. */
  companyId: string | null;
}

export const WORKER: Taker = { kind: 'worker', labels: [], companyId: null };
export const AGENT: Taker = { kind: 'agent', labels: [], companyId: null };

/** A taker as parameters of a statement. */
export const TAKER = {
  taker: 'text',
  runnerTypes: 'text[]',
  labels: 'text[]',
  ofCompany: 'uuid?',
} as const;

export function takerValues(context: Pick<Context, 'adapters'>, taker: Taker) {
  const { kind, labels, companyId: ofCompany } = taker;
  return { taker: kind, runnerTypes: context.adapters.ofRunners, labels, ofCompany };
}

type Parameters = Readonly<Record<keyof typeof TAKER, string>>;

/**
 * SQL: whether runs of the agent are for the taker. A runner takes those that need no label which it has not; one of a
 * company takes none that need no label at all.
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
 * SQL: whether the lease of a running run is over, and others may take it. What a runner holds is renewed through
 * PostgreSQL and through us, so that one which could reach neither for a while is not lost: its lease counts from when both
 * were there again. `takeOverAfterMs` is null while this process was not.
 */
export const isExpiredSql = (run: string, takeOverAfterMs: string) => `(${run}.status = 'running'
  AND ${run}.lease_expires_at < clock_timestamp()
  AND (${run}.runner_instance IS NULL
    OR clock_timestamp() > pg_postmaster_start_time() + ${takeOverAfterMs} * interval '1 millisecond'))`;

/** The parameter of `isExpiredSql`. */
export function takeOverAfterMs({ config }: Pick<Context, 'config'>): number | null {
  const { leaseMs } = config.runner;
  return performance.now() < leaseMs ? null : leaseMs;
}
