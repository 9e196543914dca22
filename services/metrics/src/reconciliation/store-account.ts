import type { Sql } from '@switchyard/db';
import type { Logger } from '@switchyard/server';
import { type Decimal, decimal, decimalText } from '../decimal';
import { type AccountFill, type Effect, effectsOf, NO_EFFECT } from './effects';
import { keyOf, SETTLED_MS, type SeenAccount } from './read-account';
import { explained, type Owner, readStates, type State, writeStates } from './states';

interface Compared extends Owner {
  capturedAt: Date;
  transfers: string;
}

export async function storeAccount(
  tx: Sql,
  logger: Logger,
  seen: SeenAccount,
  compared: Compared,
): Promise<void> {
  if (compared.transfers !== 'ok' && compared.transfers !== 'skipped') return;
  const { watched } = seen;
  await tx.query(FORGET, [compared.exchange, compared.simulated, [...watched]]);
  const states = await readStates(tx, compared, { watched, lock: 'FOR UPDATE' });
  if ([...states.values()].some(({ checkedAt }) => +checkedAt >= seen.until)) return;
  const fresh = await newFills(tx, compared, seen.fills);
  const transfers = await transferSums(tx, compared);
  const isWhole = seen.readUntil >= seen.from;
  const { upper, effects } = isWhole
    ? bestCut(fresh, seen, states, transfers)
    : effectsUntil(fresh, states, { lower: 0, upper: seen.readUntil });
  await insertFills(
    tx,
    compared,
    fresh.filter(({ time }) => time <= upper),
  );
  const after: State[] = [];
  for (const asset of watched) {
    const transferred = transfers.get(asset) ?? decimal(0);
    const balance = seen.balances.get(asset);
    const state = states.get(asset);
    if (!state) {
      if (isWhole && balance) after.push(opened(asset, balance, transferred, seen, compared));
      continue;
    }
    const effect = effects.get(asset) ?? NO_EFFECT;
    const next = withEffect(state, effect, transferred);
    if (!isWhole) after.push({ ...next, readUntil: new Date(seen.readUntil) });
    else if (balance) after.push(compare(next, effect.tolerance, balance, seen, compared));
    else after.push(next);
  }
  for (const state of after) report(logger, states.get(state.asset), state);
  const isQuiet = after.every(
    ({ unexplainedSince: since }) => !since || +compared.capturedAt - +since >= SETTLED_MS,
  );
  const readUntil = seen.from - (isQuiet ? 0 : SETTLED_MS);
  await writeStates(
    tx,
    compared,
    after.map((state) =>
      isWhole ? { ...state, readUntil: new Date(Math.max(+state.readUntil, readUntil)) } : state,
    ),
  );
}

/**
 * Removes assets that are no longer collected. Their fills are not read, so a later comparison must
 * start again.
 */
const FORGET =
  'DELETE FROM reconciliation WHERE exchange = $1 AND simulated = $2 AND asset <> ALL($3)';

const opened = (
  asset: string,
  balance: Decimal,
  transferred: Decimal,
  { from, until }: SeenAccount,
  { transfers }: Compared,
): State => ({
  asset,
  openedAt: new Date(from),
  openedUntil: new Date(until),
  checkedAt: new Date(until),
  readUntil: new Date(from),
  opening: balance,
  ...{ traded: decimal(0), fees: decimal(0), transferred: decimal(0), rounding: decimal(0) },
  transferredBefore: transferred,
  transfersKnown: transfers === 'ok',
  balance,
  unexplained: decimal(0),
  unexplainedSince: null,
});

const withEffect = (state: State, { traded, fees }: Effect, transferred: Decimal): State => ({
  ...state,
  traded: state.traded.plus(traded),
  fees: state.fees.plus(fees),
  transferred: transferred.minus(state.transferredBefore),
});

function compare(
  state: State,
  tolerance: Decimal,
  balance: Decimal,
  { until }: SeenAccount,
  { capturedAt, transfers }: Compared,
): State {
  const rest = balance.minus(explained(state));
  const checked = {
    ...state,
    balance,
    checkedAt: new Date(until),
    transfersKnown: transfers === 'ok',
  };
  const known = [decimal(0), state.unexplained].find((one) => rest.minus(one).abs().lte(tolerance));
  if (!known) return { ...checked, unexplained: rest, unexplainedSince: capturedAt };
  return {
    ...checked,
    rounding: state.rounding.plus(rest.minus(known)),
    unexplained: known,
    unexplainedSince: known.isZero() ? null : state.unexplainedSince,
  };
}

function report(logger: Logger, before: State | undefined, after: State): void {
  const { asset, unexplained } = after;
  if (!before || unexplained.eq(before.unexplained)) return;
  if (unexplained.isZero()) logger.info('fills and transfers explain a balance again', { asset });
  else {
    const amount = decimalText(unexplained);
    logger.warn('fills and transfers do not explain a balance', { asset, unexplained: amount });
  }
}

interface Cut {
  lower: number;
  upper: number;
}

function effectsUntil(
  fills: readonly AccountFill[],
  states: ReadonlyMap<string, State>,
  cut: Cut,
): Cut & { effects: Map<string, Effect> } {
  const effects = effectsOf(fills, (asset, time) => {
    const state = states.get(asset);
    if (!state || time > cut.upper || time <= +state.openedAt) return false;
    return time > +state.openedUntil || time > cut.lower;
  });
  return { ...cut, effects };
}

/**
 * The exact time of the balance is unknown, so the fills during its read are split at the time that
 * fits the balances best.
 */
function bestCut(
  fills: readonly AccountFill[],
  { balances, from, until }: SeenAccount,
  states: ReadonlyMap<string, State>,
  transfers: ReadonlyMap<string, Decimal>,
) {
  const timesWithin = (start: number, end: number) =>
    fills.map(({ time }) => time).filter((time) => time > start && time <= end);
  const lowers = new Set([
    0,
    ...[...states.values()].flatMap(({ openedAt, openedUntil }) =>
      timesWithin(+openedAt, +openedUntil),
    ),
  ]);
  const uppers = new Set([from, ...timesWithin(from, until)]);
  const cuts = [...lowers].flatMap((lower) => [...uppers].map((upper) => ({ lower, upper })));
  const tried = cuts.map((cut) => effectsUntil(fills, states, cut));
  const fits = ({ effects }: (typeof tried)[number]) =>
    [...balances].every(([asset, balance]) => {
      const state = states.get(asset);
      if (!state) return true;
      const effect = effects.get(asset) ?? NO_EFFECT;
      const next = withEffect(state, effect, transfers.get(asset) ?? decimal(0));
      const rest = balance.minus(explained(next));
      return [decimal(0), state.unexplained].some((one) =>
        rest.minus(one).abs().lte(effect.tolerance),
      );
    });
  return (tried.find(fits) ?? tried[0]) as (typeof tried)[number];
}

async function newFills(
  tx: Sql,
  { exchange }: Owner,
  fills: readonly AccountFill[],
): Promise<AccountFill[]> {
  if (fills.length === 0) return [];
  const { rows } = await tx.query<Pick<AccountFill, 'symbol' | 'tradeId'>>(
    `SELECT symbol, trade_id AS "tradeId" FROM account_fill
     WHERE exchange = $1 AND (symbol, trade_id) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
    [exchange, fills.map(({ symbol }) => symbol), fills.map(({ tradeId }) => tradeId)],
  );
  const known = new Set(rows.map(keyOf));
  return fills.filter((fill) => !known.has(keyOf(fill)));
}

async function insertFills(
  tx: Sql,
  { exchange }: Owner,
  fills: readonly AccountFill[],
): Promise<void> {
  const rows = fills.map(({ tradeId, orderId, feeAsset, isMaker, time, ...fill }) => ({
    ...{ ...fill, exchange, trade_id: tradeId, order_id: orderId, fee_asset: feeAsset },
    is_maker: isMaker ?? null,
    traded_at: new Date(time).toISOString(),
  }));
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO account_fill (exchange, symbol, trade_id, order_id, side, price, amount, fee, fee_asset, is_maker, traded_at)
     SELECT exchange, symbol, trade_id, order_id, side, price, amount, fee, fee_asset, is_maker, traded_at
     FROM json_populate_recordset(NULL::account_fill, $1::json) ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

async function transferSums(
  tx: Sql,
  { exchange, simulated }: Owner,
): Promise<Map<string, Decimal>> {
  const { rows } = await tx.query<{ asset: string; sum: string }>(
    `SELECT moved.asset, sum(moved.amount)::text AS sum FROM transfer t CROSS JOIN LATERAL (VALUES
       (t.asset, CASE t.type WHEN 'withdrawal' THEN -t.amount ELSE t.amount END),
       (t.fee_asset, CASE t.type WHEN 'withdrawal' THEN -t.fee ELSE 0 END)) AS moved (asset, amount)
     WHERE t.exchange = $1 AND t.simulated = $2 AND moved.asset IS NOT NULL
       AND (t.status = 'ok' OR t.status = 'pending' AND t.type = 'withdrawal')
     GROUP BY moved.asset`,
    [exchange, simulated],
  );
  return new Map(rows.map(({ asset, sum }) => [asset, decimal(sum)]));
}
