import type { Pool } from '@switchyard/db';
import { z } from 'zod';
import { newestTotals } from '../accounts/newest-totals';
import type { Components } from '../collection/collect-contract';
import { degradation } from '../collection/collect-contract';
import { optionalDecimalText } from '../decimal';
import { untestedNote } from '../exchange/config';
import { presentOwner } from '../exchange/owner';
import { storableText } from '../http/fields';
import type { Kind } from '../kinds/kind';
import { KINDS } from '../kinds/kinds';
import type { Resources } from '../resources';
import { outboxState } from '../webhooks/outbox';

const fieldsOf = (kinds: readonly Kind[]): z.ZodRawShape =>
  Object.fromEntries(kinds.map(({ dashboard }) => [dashboard.field, z.array(dashboard.item)]));

export const dashboardQuery = z.strictObject({ account: storableText(32).optional() });

const accountSummary = z.object({
  account: z.string(),
  exchange: z.string(),
  simulated: z.boolean(),
  degraded: z.boolean(),
  failed_components: z.array(z.string()),
  quote: z.string(),
  total_equity: z.string().nullable().describe('null while unknown'),
  captured_at: z.string().nullable().describe('time of this equity'),
});

export const dashboardResponse = z
  .object({
    generated_at: z.string(),
    simulated: z.boolean(),
    exchange: z.string(),
    account: z.string().optional(),
    accounts: z.array(accountSummary).optional(),
    interval_seconds: z.number(),
    collection: z
      .object({
        collection_id: z.string(),
        captured_at: z.string(),
        age_seconds: z.number(),
        stale: z.boolean(),
      })
      .nullable(),
    degraded: z.boolean(),
    failed_components: z.array(z.string()),
    components: z.record(z.string(), z.unknown()),
    warnings: z.array(z.string()),
    tables: z.array(
      z.object({
        field: z.string(),
        title: z.string(),
        columns: z.record(z.string(), z.string()),
      }),
    ),
  })
  .extend(fieldsOf(KINDS));

const TABLES = KINDS.flatMap(({ dashboard: { field, table } }) =>
  table ? [{ field, ...table }] : [],
);

function warningsOf({ config, exchange }: Resources): string[] {
  const note = untestedNote(config.exchange);
  const { problem, warnings } = exchange.state().key;
  return [problem, note, ...warnings].filter((text) => text !== null);
}

interface Shown {
  components: Components;
  exchange: string;
  simulated: boolean;
}

interface Pointed {
  collection_id: string;
  captured_at: Date;
  state: Shown & { accounts?: Record<string, Shown> };
}

const POINTED = 'SELECT collection_id, captured_at, state FROM dashboard_state WHERE id = 1';

async function undelivered({ config, db }: Resources): Promise<string[]> {
  if (config.webhook === null) return [];
  const { last_error, waiting } = await outboxState(db.pool);
  if (last_error === null) return [];
  return [`webhooks are not delivered (${last_error}): ${waiting} waiting`];
}

export async function dashboardState(
  resources: Resources & { accounts: readonly Resources[] },
): Promise<Record<string, unknown>> {
  const { clock, config, db, exchange } = resources;
  const now = clock.now();
  const { rows } = await db.pool.query<Pointed>(POINTED);
  const [shown] = rows;
  const seconds = shown ? Math.round((+now - +shown.captured_at) / 1000) : 0;
  const whole = shown?.state;
  const { account } = resources;
  const own = account === null ? undefined : whole?.accounts?.[account];
  const state = own ? { ...own, exchange: exchange.name } : whole;
  const name = account === null ? (state?.exchange ?? exchange.name) : exchange.name;
  const latest = KINDS.map(
    async ({ dashboard }) => [dashboard.field, await dashboard.latest(resources, name)] as const,
  );
  return {
    generated_at: now.toISOString(),
    simulated: state?.simulated ?? exchange.simulated,
    ...presentOwner(name),
    ...(account !== null && {
      accounts: await summarise(db.pool, resources.accounts, whole?.accounts ?? {}),
    }),
    interval_seconds: config.intervalMs / 1000,
    collection: shown
      ? {
          collection_id: shown.collection_id,
          captured_at: shown.captured_at.toISOString(),
          age_seconds: seconds,
          stale: seconds * 1000 > 2 * config.intervalMs,
        }
      : null,
    ...degradation(state?.components ?? {}),
    components: state?.components ?? {},
    warnings: [...warningsOf(resources), ...(await undelivered(resources))],
    tables: TABLES,
    ...Object.fromEntries(await Promise.all(latest)),
  };
}

async function summarise(
  pool: Pool,
  accounts: readonly Resources[],
  collected: Readonly<Record<string, { components: Components }>>,
): Promise<z.output<typeof accountSummary>[]> {
  const rows = await newestTotals(
    pool,
    accounts.map(({ exchange }) => exchange.name),
  );
  const totals = new Map(rows.map((row) => [row.exchange, row]));
  return accounts.map(({ account, config, exchange: { name, simulated } }) => {
    const total = totals.get(name);
    return {
      account: String(account),
      exchange: presentOwner(name).exchange,
      simulated,
      ...degradation(collected[String(account)]?.components ?? {}),
      quote: config.quote,
      total_equity: optionalDecimalText(total?.equity),
      captured_at: total?.captured_at.toISOString() ?? null,
    };
  });
}
