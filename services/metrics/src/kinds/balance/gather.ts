import { decimal, decimalText, optionalDecimalText } from '../../decimal';
import { ExchangeFailure } from '../../exchange/failure';
import { readBalance } from '../../exchange/read-balance';
import type { Resources } from '../../resources';
import type { Round, Sink } from '../kind';
import { BRIDGES, loadPrices } from '../load-prices';
import { POSITION } from '../position/position';
import { priceOf } from '../price-assets';
import { valueMargin } from './value-margin';

export interface BalanceRow {
  totalRow: boolean;
  /** True when a price that it is valued by is old. */
  stale: boolean;
  accountType: string;
  asset: string | null;
  free: string | null;
  used: string | null;
  total: string | null;
  priceInQuote: string | null;
  valueInQuote: string | null;
  priceSource: string | null;
  quote: string;
  /** Null when an asset has no price: a sum without it would look like a loss. */
  totalEquity: string | null;
  pricedEquity: string | null;
  /** What perpetuals add to it; null where none are collected. */
  marginEquity: string | null;
  unrealisedPnl: string | null;
  quoteFree: string | null;
  equityComplete: boolean | null;
  unpricedAssets: string[];
}

/** One row an asset and one total row. */
export async function gatherBalance(round: Round, sink: Sink<BalanceRow>): Promise<void> {
  const { quote } = round.config;
  const { accountType, holdings, failures } = await readAccount(round);
  sink.failures.push(...failures);
  const margin = await marginOf(round, sink);
  const assets = [
    ...holdings.map(({ asset }) => asset),
    ...(margin ? [...margin.balances.keys(), ...margin.profits.keys()] : []),
  ];
  const mids = await loadPrices(round, [...new Set(assets)], quote);
  const derived = margin && valueMargin(margin, quote, mids);
  const rows = holdings.map(({ asset, free, used, total }): BalanceRow => {
    const known = priceOf(asset, quote, mids, BRIDGES);
    return {
      ...EMPTY,
      totalRow: false,
      stale: known?.stale ?? false,
      accountType,
      quote,
      asset,
      free: decimalText(free),
      used: decimalText(used),
      total: decimalText(total),
      priceInQuote: optionalDecimalText(known?.price),
      valueInQuote: optionalDecimalText(known?.price.times(total)),
      priceSource: known?.source ?? 'none',
    };
  });
  const unpriced = [
    ...rows.filter((row) => row.valueInQuote === null).map((row) => row.asset as string),
    ...(derived?.unpriced ?? []),
  ];
  const reason = `no price in ${quote}: equity is unknown`;
  sink.failures.push(...unpriced.map((asset) => new ExchangeFailure('unpriced', asset, reason)));
  const priced = rows
    .reduce((sum, row) => sum.plus(row.valueInQuote ?? 0), decimal(0))
    .plus(derived?.equity ?? 0);
  const pricedEquity = decimalText(priced);
  const isUnknown = margin === undefined ? [POSITION.component] : [];
  const unpricedAssets = [...unpriced, ...failures.map(({ target }) => target), ...isUnknown];
  const equityComplete = unpricedAssets.length === 0;
  sink.rows.push(...rows, {
    ...EMPTY,
    totalRow: true,
    stale: rows.some(({ stale }) => stale),
    accountType,
    quote,
    totalEquity: equityComplete ? pricedEquity : null,
    pricedEquity,
    marginEquity: optionalDecimalText(derived?.equity),
    unrealisedPnl: optionalDecimalText(derived?.profit),
    quoteFree: decimalText(holdings.find(({ asset }) => asset === quote)?.free ?? 0),
    equityComplete,
    unpricedAssets,
  });
}

/** What perpetuals are a part of: null where none are collected, undefined when they could not be read. */
async function marginOf({ config, exchange, seen }: Round, sink: Sink<BalanceRow>) {
  if (config.perpetuals.length === 0 || !exchange.perpetuals) return null;
  const [margin] = await seen(POSITION);
  const reason = 'positions could not be read: equity is unknown';
  if (!margin) sink.failures.push(new ExchangeFailure('unpriced', POSITION.component, reason));
  return margin;
}

/** An account that suddenly has nothing is asked for once more: emptied or misread, it matters most of all. */
async function readAccount(round: Round) {
  const { exchange, signal } = round;
  const read = async () => {
    const balance = await exchange.balance(signal);
    return { accountType: balance.accountType, ...readBalance(balance) };
  };
  const first = await read();
  const isEmpty = first.holdings.length === 0 && first.failures.length === 0;
  return isEmpty && (await hadAssets(round)) ? read() : first;
}

const EMPTY = {
  asset: null,
  free: null,
  used: null,
  total: null,
  priceInQuote: null,
  valueInQuote: null,
  priceSource: null,
  totalEquity: null,
  pricedEquity: null,
  marginEquity: null,
  unrealisedPnl: null,
  quoteFree: null,
  equityComplete: null,
  unpricedAssets: [],
};

/** True when the account was last seen with something in it. */
async function hadAssets({ db, exchange }: Resources): Promise<boolean> {
  const last = await db.client.balanceSnapshot.findFirst({
    where: { totalRow: true, exchange: exchange.name },
    orderBy: [{ capturedAt: 'desc' }, { id: 'desc' }],
  });
  if (!last) return false;
  const { collectionRef } = last;
  return (await db.client.balanceSnapshot.count({ where: { collectionRef, totalRow: false } })) > 0;
}
