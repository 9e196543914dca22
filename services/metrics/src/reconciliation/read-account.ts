import { errorFields } from '@switchyard/server';
import { type Decimal, decimal } from '../decimal';
import type { Market } from '../exchange/port';
import { BALANCE } from '../kinds/balance/balance';
import { GRID } from '../kinds/grid/grid';
import type { Round } from '../kinds/kind';
import { POSITION } from '../kinds/position/position';
import { type AccountFill, effectsOf, NO_EFFECT } from './effects';
import { explained, readStates, type State } from './states';

/** Part of the previous period that is read again, because exchanges report some fills late. */
const OVERLAP_MS = 10 * 60_000;
/** In ms. Differences older than this no longer cause requests. */
export const SETTLED_MS = 3_600_000;

export interface SeenAccount {
  /** Assets of the collected symbols, including those whose balance is unreadable or shared. */
  watched: ReadonlySet<string>;
  balances: Map<string, Decimal>;
  from: number;
  until: number;
  fills: AccountFill[];
  readUntil: number;
}

/**
 * Reads the fills that explain a changed balance. A fill changes the balance of its base asset, so
 * symbols whose base is unchanged are not requested.
 * @returns null if balance or fills could not be read; the next collection compares again
 */
export async function readAccount(round: Round, from: number): Promise<SeenAccount | null> {
  const { exchange, logger, signal } = round;
  if (!exchange.hasAccount || signal.aborted) return null;
  try {
    const until = exchange.time();
    const markets = [...(await exchange.markets(round.priced, signal)).values()];
    const watched = new Set(markets.flatMap(({ base, quote }) => [base, quote]));
    const balances = await balancesOf(round, watched);
    if (balances === null) return null;
    const seen = { watched, balances, from, until, fills: [], readUntil: from };
    return await readFills(round, markets, seen);
  } catch (error) {
    logger.warn('the balance could not be compared with fills', errorFields(error));
    return null;
  }
}

async function balancesOf(round: Round, watched: ReadonlySet<string>) {
  const rows = await round.seen(BALANCE);
  const total = rows.find(({ totalRow }) => totalRow);
  if (!total) return null;
  const balances = new Map<string, Decimal>();
  for (const { asset, priceSource, total: amount } of rows) {
    if (asset === null || amount === null) continue;
    const held = priceSource?.startsWith('as:') ? priceSource.slice(3) : asset;
    balances.set(held, (balances.get(held) ?? decimal(0)).plus(amount));
  }
  const shared = await sharedAssets(round);
  const isRead = (asset: string) => balances.has(asset) || !total.unpricedAssets.includes(asset);
  const compared = [...watched].filter((asset) => !shared.includes(asset) && isRead(asset));
  return new Map(compared.map((asset) => [asset, balances.get(asset) ?? decimal(0)]));
}

/**
 * Returns the assets whose balance also changes with profit from perpetuals. Fills cannot explain
 * such a balance, because fills of perpetuals are not read.
 */
async function sharedAssets({ config, seen }: Round): Promise<string[]> {
  const [margin] = await seen(POSITION);
  const isApart = margin !== undefined && margin.balances.size > 0;
  return isApart ? [] : config.perpetuals.map((symbol) => symbol.split(':')[1] ?? '');
}

async function readFills(
  round: Round,
  markets: readonly Market[],
  seen: SeenAccount,
): Promise<SeenAccount> {
  const { db, exchange, signal } = round;
  const owner = { exchange: exchange.name, simulated: exchange.simulated };
  const states = await readStates(db.pool, owner, { watched: seen.watched });
  if (states.size === 0) return seen;
  const since = Math.min(...[...states.values()].map(({ readUntil }) => +readUntil)) - OVERLAP_MS;
  const known = await knownFills(round, since);
  const found = new Map<string, AccountFill>();
  const add = (fill: AccountFill) => {
    const key = keyOf(fill);
    if (!known.has(key)) found.set(key, fill);
  };
  for (const { quote, trades } of await round.seen(GRID)) {
    const { symbol } = quote;
    for (const trade of trades) if (trade.time >= since) add({ ...trade, symbol });
  }
  const unread = new Set(markets);
  let { readUntil } = seen;
  for (;;) {
    const open = openAssets(states, seen.balances, [...found.values()]);
    const changed = [...unread].filter(({ base }) => open.includes(base));
    const next =
      changed.length > 0 ? changed : [...unread].filter(({ quote }) => open.includes(quote));
    if (next.length === 0) break;
    await Promise.all(
      next.map(async (market) => {
        const { symbol } = market;
        unread.delete(market);
        const { trades, until } = await exchange.trades(symbol, since, signal);
        readUntil = Math.min(readUntil, until);
        for (const trade of trades) add({ ...trade, symbol });
      }),
    );
  }
  return { ...seen, fills: [...found.values()], readUntil };
}

function openAssets(
  states: ReadonlyMap<string, State>,
  balances: ReadonlyMap<string, Decimal>,
  fills: readonly AccountFill[],
): string[] {
  const effects = effectsOf(fills, (asset, time) => time > +(states.get(asset)?.openedAt ?? time));
  return [...balances].flatMap(([asset, balance]) => {
    const state = states.get(asset);
    if (!state) return [];
    const { traded, fees, tolerance } = effects.get(asset) ?? NO_EFFECT;
    const { unexplained, unexplainedSince, checkedAt } = state;
    const isSettled = unexplainedSince && +checkedAt - +unexplainedSince >= SETTLED_MS;
    const rest = balance.minus(explained(state)).minus(traded).plus(fees);
    return rest
      .minus(isSettled ? unexplained : 0)
      .abs()
      .gt(tolerance)
      ? [asset]
      : [];
  });
}

export const keyOf = ({ symbol, tradeId }: Pick<AccountFill, 'symbol' | 'tradeId'>): string =>
  `${symbol} ${tradeId}`;

async function knownFills({ db, exchange }: Round, since: number): Promise<Set<string>> {
  const { rows } = await db.pool.query<AccountFill>(
    'SELECT symbol, trade_id AS "tradeId" FROM account_fill WHERE exchange = $1 AND traded_at >= $2',
    [exchange.name, new Date(since - OVERLAP_MS)],
  );
  return new Set(rows.map(keyOf));
}
