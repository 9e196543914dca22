import type { Pool } from '@switchyard/db';
import { z } from 'zod';
import { decimal, optionalDecimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import { queryInteger } from '../http/fields';
import type { Resources } from '../resources';
import { type EquityPoint, presentDrawdown, type Told } from '../risk/drawdown';
import { type AccountFlow, withoutMoves } from './own-moves';

const DAY = 86_400_000;

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
  drawdown: z.object({
    days: z.number(),
    flow_adjusted: z.boolean(),
    peak: amount,
    current: share,
    worst: share,
    worst_at: z.string().nullable(),
  }),
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

interface Latest {
  exchange: string;
  collection_ref: string;
  captured_at: Date;
  quote: string;
  stale: boolean;
  equity: string | null;
}

interface Owners {
  names: string[];
  simulated: boolean;
  quote: string;
}

/** Sums the real accounts; the simulated ones if no account is real. */
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
  const { rows: latest } = await db.pool.query<Latest>(LATEST, [all]);
  const counted = latest.filter(({ exchange }) => names.includes(exchange));
  const [first] = counted;
  const isWhole =
    counted.length === names.length &&
    counted.every((one) => one.quote === quote && one.equity !== null) &&
    counted.every(({ collection_ref }) => collection_ref === first?.collection_ref);
  const equity = isWhole
    ? counted.reduce((sum, one) => sum.plus(one.equity ?? 0), decimal(0))
    : null;
  const isOld = ({ captured_at, stale }: Latest) =>
    stale || now.getTime() - captured_at.getTime() > 2 * intervalMs;
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
    ...(await earnedBy(db.pool, { names, simulated, quote }, days, now)),
    generated_at: now.toISOString(),
  };
}

async function exposureOf(pool: Pool, names: string[], { collection_ref, quote }: Latest) {
  const { rows } = await pool.query<{ asset: string; value: string | null }>(EXPOSURE, [
    ...[collection_ref, names, quote],
  ]);
  return rows;
}

async function earnedBy(pool: Pool, owners: Owners, days: number, now: Date) {
  const { names, simulated, quote } = owners;
  const { rows: told } = await pool.query<Told>(TOLD, [names, simulated]);
  const known = told[0] ?? null;
  const since = new Date(Math.max(now.getTime() - days * DAY, known?.known_from.getTime() ?? 0));
  const values = [names, simulated, quote, since];
  const { rows: points } = await pool.query<EquityPoint>(POINTS, values);
  const { rows } = known ? await pool.query<AccountFlow>(FLOWS, values) : { rows: [] };
  const [start] = points;
  const end = points.at(-1);
  const flows = rows.filter(({ shown_at }) => start && shown_at > start.at);
  const ends = start && end ? [start, end] : [];
  const external = withoutMoves(
    flows.filter(({ shown_at }) => end && shown_at <= end.at),
    ends,
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
    drawdown: { days, ...presentDrawdown(points, withoutMoves(flows, points), known) },
    profit: {
      start: start?.at.toISOString() ?? null,
      end: end?.at.toISOString() ?? null,
      transfers: optionalDecimalText(transfers),
      result: optionalDecimalText(result),
    },
  };
}

const LATEST = `
  SELECT last.* FROM unnest($1::text[]) AS wanted (exchange) CROSS JOIN LATERAL (
    SELECT t.exchange, t.collection_ref::text, t.captured_at, t.quote, t.stale, t.total_equity::text AS equity
    FROM balance_snapshot t WHERE t.asset IS NULL AND t.exchange = wanted.exchange
    ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
  ) AS last`;

const EXPOSURE = `
  SELECT asset, CASE WHEN bool_and(value IS NOT NULL) THEN sum(value)::text END AS value FROM (
    SELECT coalesce(substring(price_source FROM '^as:(.+)$'), asset) AS asset, value_in_quote AS value
    FROM balance_snapshot WHERE collection_ref = $1 AND exchange = ANY($2) AND asset IS NOT NULL
    UNION ALL
    SELECT split_part(symbol, '/', 1), CASE side WHEN 'short' THEN -value_in_quote ELSE value_in_quote END
    FROM position_snapshot WHERE collection_ref = $1 AND exchange = ANY($2)
  ) AS part WHERE asset <> $3 GROUP BY asset ORDER BY abs(sum(value)) DESC NULLS FIRST, asset`;

const TOLD = `
  SELECT max(known_from) AS known_from, min(known_until) AS known_until
  FROM transfer_progress WHERE exchange = ANY($1) AND simulated = $2 HAVING count(*) = cardinality($1)`;

/**
 * Totals since the last one in another quote. Older hours, which store no quote, only count if no
 * total has another quote.
 */
const POINTS = `
  WITH total AS (
    SELECT captured_at, collection_ref, total_equity, quote FROM balance_snapshot
    WHERE asset IS NULL AND exchange = ANY($1) AND simulated = $2 AND captured_at >= $4
  ), other AS (
    SELECT max(captured_at) AS until FROM total WHERE quote <> $3
  ), own AS (
    SELECT total.* FROM total, other WHERE quote = $3 AND captured_at > coalesce(until, '-infinity')
  )
  SELECT captured_at AS at, sum(total_equity)::text AS equity FROM own
  GROUP BY captured_at, collection_ref HAVING count(total_equity) = cardinality($1)
  UNION ALL
  SELECT hour + interval '1 hour', sum(last)::text FROM rollup_hour
  WHERE kind = 'balance' AND key = '' AND metric = 'equity' AND exchange = ANY($1) AND simulated = $2 AND hour >= $4
    AND hour < date_bin('1 hour', (SELECT min(captured_at) FROM own), 'epoch'::timestamptz)
    AND (SELECT until FROM other) IS NULL
  GROUP BY hour HAVING count(last) = cardinality($1)
  ORDER BY at`;

const FLOWS = `
  SELECT exchange, type, asset, amount::text, counted_at AS shown_at,
    CASE WHEN quote = $3 THEN value_in_quote::text END AS value
  FROM transfer
  WHERE exchange = ANY($1) AND simulated = $2 AND counted_at > $4
    AND (status = 'ok' OR status = 'pending' AND type = 'withdrawal')
  ORDER BY counted_at`;
