import { assertSchemaVersion } from '@switchyard/db';
import { checkHealth, VERSION } from '@switchyard/server';
import { z } from 'zod';
import type { Components } from '../collection/collect-contract';
import { degradation } from '../collection/collect-contract';
import type { Collector } from '../collection/collector';
import { untestedNote } from '../exchange/config';
import type { KeyState } from '../exchange/port';
import { exchangeProblem } from '../exchange/problem';
import type { Resources } from '../resources';
import { type OutboxState, outboxState } from '../webhooks/outbox';
import {
  adviceFor,
  fits,
  GRID_SYMBOLS,
  type GridSymbols,
  planOf,
  requestPlan,
} from './request-plan';

const CACHE_MS = 1_000;

const lastSeen = { last_success_at: z.string().nullable() };
const age = { age_seconds: z.number().nullable(), stale: z.boolean() };
const keyHealth = z.object({
  may_trade: z.boolean().nullable(),
  may_withdraw: z.boolean().nullable(),
  bound_to_address: z.boolean().nullable(),
  checked_at: z.string().nullable(),
  warnings: z.array(z.string()),
});
const status = z.enum(['ok', 'degraded', 'unavailable']);

export const healthResponse = z.object({
  status: z.enum(['ok', 'error']),
  timestamp: z.string(),
  components: z.object({
    database: z.object({ status, latency_ms: z.number().nullable() }),
    exchange: z.object({
      status,
      mode: z.enum(['simulated', 'live']),
      circuit: z.string(),
      ...lastSeen,
      consecutive_failures: z.number(),
      problem: z.string().optional(),
      note: z.string().optional(),
      key: keyHealth.optional(),
      plan: requestPlan.optional(),
    }),
    accounts: z
      .record(
        z.string(),
        z.object({
          status,
          circuit: z.string(),
          problem: z.string().optional(),
          plan: requestPlan.optional(),
        }),
      )
      .optional(),
    collector: z.object({ status, ...lastSeen, ...age, running: z.number() }),
    dashboard: z.object({
      status,
      ...lastSeen,
      ...age,
      failed_components: z.array(z.string()),
    }),
    webhooks: z
      .object({
        status,
        waiting: z.number(),
        oldest_age_seconds: z.number().nullable(),
        last_delivered_at: z.string().nullable(),
        last_error: z.string().nullable(),
        given_up: z.number(),
      })
      .optional(),
  }),
  version: z.string(),
});

interface Probed {
  at: number;
  isUp: boolean;
  latencyMs: number | null;
  collectedAt: Date | null;
  dashboardAt: Date | null;
  components: Components;
  gridSymbols: GridSymbols;
  webhooks: OutboxState | null;
}

interface Found {
  collected_at: Date | null;
  dashboard_at: Date | null;
  components: Components | null;
  grid_symbols: GridSymbols;
}

export type HealthProbe = () => Promise<Probed>;

export function createHealthProbe({ config, db }: Resources): HealthProbe {
  let last: Promise<Probed> | null = null;
  let validUntil = 0;
  const probe = async (): Promise<Probed> => {
    const started = performance.now();
    let found: Found | undefined;
    let webhooks: OutboxState | null = null;
    const { ready } = await checkHealth({
      required: {
        database: async () => {
          await assertSchemaVersion(db.pool, 'metrics');
          const { rows } = await db.pool.query(
            `SELECT (SELECT captured_at FROM dashboard_state WHERE id = 1) AS dashboard_at,
               (SELECT state->'components' FROM dashboard_state WHERE id = 1) AS components,
               (${GRID_SYMBOLS}) AS grid_symbols,
               (SELECT started_at FROM collection WHERE brought_data
                ORDER BY started_at DESC, id DESC LIMIT 1) AS collected_at`,
          );
          found = rows[0];
          if (config.webhook !== null) webhooks = await outboxState(db.pool);
        },
      },
      isStopping: () => false,
      deadlineMs: 1_000,
    });
    return {
      at: Date.now(),
      isUp: ready,
      latencyMs: ready ? Math.round(performance.now() - started) : null,
      collectedAt: found?.collected_at ?? null,
      dashboardAt: found?.dashboard_at ?? null,
      components: found?.components ?? {},
      gridSymbols: found?.grid_symbols ?? {},
      webhooks,
    };
  };
  return () => {
    const now = performance.now();
    if (!last || now >= validUntil) {
      last = probe();
      validUntil = now + CACHE_MS;
    }
    return last;
  };
}

export function presentHealth(
  context: Resources & { accounts: readonly Resources[]; collector: Collector },
  probed: Probed,
): z.output<typeof healthResponse> {
  const { accounts, config, clock, exchange, collector } = context;
  const now = clock.now();
  const ageOf = (at: Date | null) => {
    const seconds = at ? Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000)) : null;
    const stale = seconds === null || seconds * 1000 > 2 * config.intervalMs;
    return { last_success_at: at?.toISOString() ?? null, age_seconds: seconds, stale };
  };
  const problem = exchangeProblem({ config, exchange });
  const isUsable = accounts.some((account) => exchangeProblem(account) === null);
  const plan = planOf(context, probed.gridSymbols);
  const note = untestedNote(config.exchange) ?? (plan && !fits(plan) ? adviceFor(plan) : null);
  const state = exchange.state();
  const isSimulated = config.exchange.mode === 'simulated';
  const { running, lastSuccessAt } = collector.state();
  const collected = ageOf(later(probed.collectedAt, lastSuccessAt));
  const dashboard = ageOf(probed.dashboardAt);
  const { degraded, failed_components } = degradation(probed.components);
  const isAsking = state.circuit === 'closed' && state.consecutiveFailures === 0;
  const shown = (isGood: boolean) => (isGood ? 'ok' : 'degraded');
  return {
    status: probed.isUp && isUsable ? 'ok' : 'error',
    timestamp: now.toISOString(),
    components: {
      database: { status: probed.isUp ? 'ok' : 'unavailable', latency_ms: probed.latencyMs },
      exchange: {
        status: problem === null ? shown(isAsking) : 'unavailable',
        mode: isSimulated ? 'simulated' : 'live',
        circuit: state.circuit,
        last_success_at: state.lastSuccessAt ? new Date(state.lastSuccessAt).toISOString() : null,
        consecutive_failures: state.consecutiveFailures,
        ...(problem !== null && { problem }),
        ...(note !== null && { note }),
        ...(exchange.hasAccount && !isSimulated && { key: presentKey(state.key) }),
        ...(plan && { plan }),
      },
      ...(accounts.length > 1 && {
        accounts: Object.fromEntries(accounts.map((account) => accountHealth(account, probed))),
      }),
      collector: { status: shown(!collected.stale), ...collected, running },
      dashboard: { status: shown(!dashboard.stale && !degraded), ...dashboard, failed_components },
      ...(probed.webhooks && { webhooks: presentOutbox(probed.webhooks, now) }),
    },
    version: VERSION,
  };
}

function accountHealth(resources: Resources, { gridSymbols }: Probed) {
  const plan = planOf(resources, gridSymbols);
  const problem = exchangeProblem(resources);
  const { circuit, consecutiveFailures } = resources.exchange.state();
  const isAsking = circuit === 'closed' && consecutiveFailures === 0;
  const usable = isAsking ? ('ok' as const) : ('degraded' as const);
  const found = { status: problem === null ? usable : ('unavailable' as const), circuit };
  const more = { ...(problem !== null && { problem }), ...(plan && { plan }) };
  return [String(resources.account), { ...found, ...more }] as const;
}

function presentOutbox({ oldest_at, last_delivered_at, ...state }: OutboxState, now: Date) {
  const age = oldest_at ? Math.max(0, Math.round((+now - +oldest_at) / 1000)) : null;
  return {
    status: state.last_error === null ? ('ok' as const) : ('degraded' as const),
    ...state,
    oldest_age_seconds: age,
    last_delivered_at: last_delivered_at?.toISOString() ?? null,
  };
}

function presentKey({ permissions, checkedAt, warnings }: KeyState): z.output<typeof keyHealth> {
  return {
    may_trade: permissions?.trade ?? null,
    may_withdraw: permissions?.withdraw ?? null,
    bound_to_address: permissions?.boundToAddress ?? null,
    checked_at: checkedAt === null ? null : new Date(checkedAt).toISOString(),
    warnings,
  };
}

const later = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one > other ? one : other) : (one ?? other);
