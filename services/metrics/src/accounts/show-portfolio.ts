import type { Pool } from '@switchyard/db';
import { z } from 'zod';
import { decimal, optionalDecimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import { queryInteger } from '../http/fields';
import type { Resources } from '../resources';
import { drawdown, presentDrawdown } from '../risk/drawdown';
import { type AccountFlow, type EquitySeries, readEquity } from '../risk/read-equity';
import { newestTotals, type Total } from './newest-totals';

export const portfolioQuery = z.strictObject({ days: queryInteger(1, 3650).default(30) });

const amount = z.string().nullable();
const share = z.number().nullable();

export const portfolioResponse = z.object({
  quote: z.string(),
  simulated: z.boolean(),
  accounts: z.array(
    z.object({
      exchange: z.string(),
      account: z.string().optional(),
      simulated: z.boolean(),
      counted: z.boolean().describe('false for a simulated account while others are real'),
      captured_at: z.string().nullable(),
      equity: amount,
    }),
  ),
  equity: amount.describe(
    'null unless one collection read the newest balances of all counted accounts',
  ),
  stale: z.boolean(),
  exposure: z
    .array(z.object({ asset: z.string(), value: amount, share }))
    .nullable()
    .describe('by coin, including positions, negative for shorts; null while equity is null'),
  drawdown,
  profit: z.object({
    start: z.string().nullable(),
    end: z.string().nullable(),
    transfers: amount.describe(
      'deposits minus withdrawals, excluding transfers between the accounts',
    ),
    result: amount,
  }),
  generated_at: z.string(),
});

export async function showPortfolio(
  { accounts, clock, config, db }: Resources & { accounts: readonly Resources[] },
  { days }: z.output<typeof portfolioQuery>,
): Promise<z.output<typeof portfolioResponse>> {
  const { intervalMs, quote } = config;
  const now = clock.now();
  const simulated = accounts.every(({ exchange }) => exchange.simulated);
  const isCounted = ({ exchange }: Resources) => exchange.simulated === simulated;
  const names = accounts.filter(isCounted).map(({ exchange }) => exchange.name);
  const all = accounts.map(({ exchange }) => exchange.name);
  const latest = await newestTotals(db.pool, all);
  const counted = latest.filter(({ exchange }) => names.includes(exchange));
  const [first] = counted;
  const isWhole =
    counted.length === names.length &&
    counted.every((one) => one.quote === quote && one.equity !== null) &&
    counted.every(({ collection_ref }) => collection_ref === first?.collection_ref);
  const equity = isWhole
    ? counted.reduce((sum, one) => sum.plus(one.equity ?? 0), decimal(0))
    : null;
  const isOld = ({ captured_at, stale }: Total) =>
    stale || now.getTime() - captured_at.getTime() > 2 * intervalMs;
  const series = await readEquity(db.pool, { names, simulated, quote }, days, now);
  const exposed = equity && first ? await exposureOf(db.pool, names, first) : null;
  return {
    ...{ quote, simulated },
    accounts: accounts.map((account) => {
      const { exchange } = account;
      const last = latest.find((one) => one.exchange === exchange.name);
      return {
        ...presentOwner(exchange.name),
        simulated: exchange.simulated,
        counted: isCounted(account),
        captured_at: last?.captured_at.toISOString() ?? null,
        equity: last?.quote === quote ? optionalDecimalText(last.equity) : null,
      };
    }),
    equity: optionalDecimalText(equity),
    stale: counted.length < names.length || counted.some(isOld),
    exposure:
      exposed?.map(({ asset, value }) => ({
        asset,
        value: optionalDecimalText(value),
        share: value !== null && equity?.gt(0) ? decimal(value).div(equity).toNumber() : null,
      })) ?? null,
    drawdown: {
      days,
      ...presentDrawdown({ ...series, flows: withoutMoves(series.flows, series.points) }),
    },
    profit: profitOf(series),
    generated_at: now.toISOString(),
  };
}

async function exposureOf(pool: Pool, names: string[], { collection_ref, quote }: Total) {
  const { rows } = await pool.query<{ asset: string; value: string | null }>(EXPOSURE, [
    ...[collection_ref, names, quote],
  ]);
  return rows;
}

function profitOf({ points, flows, known }: EquitySeries<AccountFlow>) {
  const [start] = points;
  const end = points.at(-1);
  const external = withoutMoves(
    flows.filter(({ shown_at }) => end && shown_at <= end.at),
    start && end ? [start, end] : [],
  );
  const isKnown =
    known && end && known.known_until >= end.at && external.every(({ value }) => value !== null);
  const transfers = isKnown
    ? external.reduce(
        (sum, { type, value }) => sum.plus(decimal(value ?? 0).times(type === 'deposit' ? 1 : -1)),
        decimal(0),
      )
    : null;
  const result =
    start && end && transfers ? decimal(end.equity).minus(start.equity).minus(transfers) : null;
  return {
    start: start?.at.toISOString() ?? null,
    end: end?.at.toISOString() ?? null,
    transfers: optionalDecimalText(transfers),
    result: optionalDecimalText(result),
  };
}

const EXPOSURE = `
  SELECT asset, CASE WHEN bool_and(value IS NOT NULL) THEN sum(value)::text END AS value FROM (
    SELECT coalesce(substring(price_source FROM '^as:(.+)$'), asset) AS asset, value_in_quote AS value
    FROM balance_snapshot WHERE collection_ref = $1 AND exchange = ANY($2) AND asset IS NOT NULL
    UNION ALL
    SELECT margin.key, margin.value::numeric FROM balance_snapshot, jsonb_each_text(margin_assets) AS margin
    WHERE collection_ref = $1 AND exchange = ANY($2)
    UNION ALL
    SELECT split_part(symbol, '/', 1), CASE side WHEN 'short' THEN -value_in_quote ELSE value_in_quote END
    FROM position_snapshot WHERE collection_ref = $1 AND exchange = ANY($2)
  ) AS part WHERE asset <> $3 GROUP BY asset ORDER BY abs(sum(value)) DESC NULLS FIRST, asset`;

const LONGEST_MOVE_MS = 24 * 3_600_000;
const CLOCK_ERROR_MS = 600_000;

/**
 * Removes transfers between own accounts: a withdrawal from one account and a deposit of the same
 * asset and amount in another within a day. Keeps a transfer that is in transit at one of `points`,
 * because the equity at that point does not contain the amount in transit.
 */
function withoutMoves(
  flows: readonly AccountFlow[],
  points: readonly { at: Date }[],
): AccountFlow[] {
  const moved = new Set<AccountFlow>();
  const pointOf = ({ shown_at }: AccountFlow) => points.findIndex(({ at }) => at >= shown_at);
  for (const out of flows.filter(({ type }) => type === 'withdrawal')) {
    const arrived = flows.find((flow) => !moved.has(flow) && isArrivalOf(out, flow));
    if (arrived && pointOf(out) === pointOf(arrived)) moved.add(out).add(arrived);
  }
  return flows.filter((flow) => !moved.has(flow));
}

function isArrivalOf(out: AccountFlow, { exchange, type, asset, amount, counted_at }: AccountFlow) {
  const tookMs = counted_at.getTime() - out.counted_at.getTime();
  return (
    type === 'deposit' &&
    exchange !== out.exchange &&
    asset === out.asset &&
    Number(amount) === Number(out.amount) &&
    tookMs >= -CLOCK_ERROR_MS &&
    tookMs <= LONGEST_MOVE_MS
  );
}
