import type { Pool } from '@switchyard/db';
import { z } from 'zod';
import { findAccount } from '../accounts/find-account';
import { type Decimal, decimal, optionalDecimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import { gridId, moment, queryInteger, storableText } from '../http/fields';
import { valueError } from '../http/invalid-request';
import type { Resources } from '../resources';
import { accountPeriod, accountProfit } from './account-profit';

const UNITS = { '1d': 'day', '1w': 'week', '1M': 'month' } as const;

export const profitQuery = z.strictObject({
  interval: z.enum(Object.keys(UNITS) as [keyof typeof UNITS]).default('1d'),
  grid_id: gridId.optional(),
  end: moment.optional(),
  periods: queryInteger(1, 100).default(30),
  account: storableText(32).optional().describe('only with several accounts; by default all'),
});

const amount = z.string().nullable();

export const profitResponse = z.object({
  items: z.array(
    z.object({
      grid_id: z.string(),
      name: z.string(),
      symbol: z.string(),
      exchange: z.string(),
      account: z.string().optional(),
      simulated: z.boolean(),
      start: z.string(),
      end: z.string(),
      total_pnl: amount,
      grid_profit: amount,
      inventory_result: amount,
      fees: amount,
      rebased: z.boolean(),
    }),
  ),
  account: z.array(accountPeriod),
  generated_at: z.string(),
});

const PARTS = ['total_pnl', 'grid_profit', 'inventory_result', 'fees_total'] as const;
type Part = (typeof PARTS)[number];

interface Point extends Record<Part, string | null> {
  grid_id: string;
  name: string;
  symbol: string;
  exchange: string;
  simulated: boolean;
  created_at: Date;
  rebased_at: Date | null;
  at: Date;
  is_seen: boolean;
}

/**
 * GET /profit: returns the earnings of each account and grid per period. Omits periods in which a
 * grid was not collected.
 * @throws InvalidRequest for an end in the future or an unknown account
 */
export async function listProfit(
  resources: Resources & { accounts: readonly Resources[] },
  { interval, grid_id, end, periods, account: named }: z.output<typeof profitQuery>,
): Promise<z.output<typeof profitResponse>> {
  const { clock, db } = resources;
  const owner = named === undefined ? null : findAccount(resources, named, 'query');
  const now = clock.now();
  const until = end ?? new Date(now.getTime() + 1);
  if (end && end > now)
    throw valueError(['query', 'end'], 'end must not be in the future', end.toISOString());
  const span = { unit: UNITS[interval], until, periods };
  const of = { gridId: grid_id ?? null, exchange: owner?.exchange.name ?? null };
  const points = await readPoints(db.pool, span, of);
  const items = points.flatMap((point, index) => {
    const before = points[index - 1];
    if (!before || before.grid_id !== point.grid_id || !point.is_seen) return [];
    return period(before, point);
  });
  const accounts = grid_id !== undefined ? [] : owner ? [owner] : resources.accounts;
  const earned = accounts.map(({ config: { quote }, exchange: { name, simulated } }) =>
    accountProfit(db.pool, { name, simulated, quote }, span, items),
  );
  const account = (await Promise.all(earned)).flat();
  return { items, account, generated_at: now.toISOString() };
}

async function readPoints(
  pool: Pool,
  { unit, until, periods }: { unit: string; until: Date; periods: number },
  { gridId, exchange }: { gridId: string | null; exchange: string | null },
): Promise<Point[]> {
  const ofHours = PARTS.map(
    (part) => `coalesce(s.${part}, CASE WHEN s.grid_id IS NULL THEN (
      SELECT last FROM rollup_hour r WHERE r.kind = 'grid' AND r.key = g.grid_id AND r.metric = '${part}'
        AND r.exchange = g.exchange AND r.simulated = g.simulated AND r.hour < ends.at
      ORDER BY r.hour DESC LIMIT 1) END)::text AS ${part}`,
  );
  const { rows } = await pool.query<Point>(
    `WITH ends AS (
       SELECT least((date_trunc($1, $2::timestamptz AT TIME ZONE 'UTC') - n * ('1 ' || $1)::interval)
         AT TIME ZONE 'UTC', $2::timestamptz) AS at
       FROM generate_series(0, $3::int - 1) AS n
       UNION SELECT $2::timestamptz
     )
     SELECT g.grid_id, g.name, g.symbol, g.exchange, g.simulated, g.created_at, g.rebased_at, ends.at,
       ends.at > g.created_at AND (g.stopped_at IS NULL OR lag(ends.at) OVER by_grid < g.stopped_at) AS is_seen,
       ${ofHours.join(', ')}
     FROM grid g CROSS JOIN ends LEFT JOIN LATERAL (
       SELECT * FROM grid_snapshot t WHERE t.grid_id = g.grid_id AND t.captured_at < ends.at
       ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
     ) s ON true
     WHERE ($4::text IS NULL OR g.grid_id = $4) AND ($5::text IS NULL OR g.exchange = $5)
       AND (g.stopped_at IS NULL OR g.stopped_at > (SELECT min(at) FROM ends))
     WINDOW by_grid AS (PARTITION BY g.grid_id ORDER BY ends.at)
     ORDER BY g.created_at, g.grid_id, ends.at`,
    [unit, until, periods, gridId, exchange],
  );
  return rows;
}

function period(before: Point, point: Point) {
  const { grid_id, name, symbol, exchange, simulated, at, rebased_at } = point;
  const rebased = rebased_at !== null && rebased_at > before.at && rebased_at <= at;
  const isFirst = rebased || before.at <= point.created_at;
  const change = (part: Part): string | null => {
    const after = point[part];
    const old: Decimal | null = isFirst
      ? decimal(0)
      : before[part] === null
        ? null
        : decimal(before[part]);
    return optionalDecimalText(after === null || old === null ? null : decimal(after).minus(old));
  };
  return {
    ...{ grid_id, name, symbol, ...presentOwner(exchange), simulated, rebased },
    start: before.at.toISOString(),
    end: at.toISOString(),
    total_pnl: change('total_pnl'),
    grid_profit: change('grid_profit'),
    inventory_result: change('inventory_result'),
    fees: change('fees_total'),
  };
}
