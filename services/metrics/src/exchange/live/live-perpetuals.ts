import type { Exchange as CcxtExchange } from 'ccxt';
import { readDecimal } from '../../decimal';
import { type ExchangeFailure, malformed } from '../failure';
import type {
  FundingPayment,
  FundingRate,
  PaymentsRead,
  Perpetuals,
  Position,
} from '../perpetuals';
import { readName } from '../read-name';
import { readTime } from '../read-time';
import type { Connection } from './connect';
import { marketOf, splitListed } from './market-of';
import { readWindows } from './paged/read-windows';

/**
 * These parameters are sent explicitly, because the library does not derive them from the symbol
 * for every exchange.
 */
const OF_PERPETUALS = { type: 'swap', subType: 'linear' };
const WEEK_MS = 7 * 86_400_000;
/** Binance and OKX return no payments that are older than this. */
const LONGEST_HISTORY_MS = 90 * 86_400_000;
const PAGE = 100;

export function createLivePerpetuals({ call, ready, serverClock }: Connection): Perpetuals {
  return {
    fundingRates: async (symbols, signal) => {
      const made = await ready(signal);
      const { listed, failures } = splitListed(made, symbols);
      const found = new Map<string, FundingRate | ExchangeFailure>(failures);
      if (listed.length === 0) return found;
      const ask = () => made.fetchFundingRates(listed, OF_PERPETUALS);
      const all = await call('fetchFundingRates', 'funding', signal, ask);
      for (const symbol of listed) {
        const absent = malformed(symbol, 'the answer has no funding rate for this symbol');
        found.set(symbol, all[symbol] ? rateOf(symbol, all[symbol]) : absent);
      }
      return found;
    },
    account: async (assets, signal) => {
      const made = await ready(signal);
      const [positions, balances] = await Promise.all([
        readPositions(made, assets, (ask) => call('fetchPositions', 'positions', signal, ask)),
        made.id === 'binance'
          ? call('fetchBalance', 'margin', signal, () => made.fetchBalance(OF_PERPETUALS))
          : null,
      ]);
      const { total } = (balances ?? {}) as { total?: Record<string, unknown> };
      return { positions, balances: total ?? {}, isProfitApart: made.id === 'bybit' };
    },
    fundingPayments: async (symbol, since, signal) => {
      const made = await ready(signal);
      marketOf(made, symbol);
      const until = serverClock.now();
      const windows = { since: Math.max(since, until - LONGEST_HISTORY_MS), until };
      const read = await readWindows(
        { ...windows, longestMs: WEEK_MS },
        symbol,
        async (from, to) => {
          const ask = () =>
            made.fetchFundingHistory(symbol, from, PAGE, windowOf(made, symbol, from, to));
          const page = await call('fetchFundingHistory', symbol, signal, ask);
          return { rows: page, isWhole: page.length < PAGE };
        },
      );
      const payments = new Map<string, FundingPayment>();
      const failures: PaymentsRead['failures'] = [];
      for (const one of read.rows) {
        const payment = paymentOf(made, symbol, one);
        if (payment) payments.set(payment.paymentId, payment);
        else failures.push(malformed(symbol, unreadable(one)));
      }
      return { payments: [...payments.values()], failures, until: read.until };
    },
  };
}

type RawRate = Awaited<ReturnType<CcxtExchange['fetchFundingRate']>>;

const rateOf = (symbol: string, raw: RawRate): FundingRate => ({
  symbol,
  rate: raw.fundingRate,
  markPrice: raw.markPrice,
  indexPrice: raw.indexPrice,
  time: raw.timestamp ?? null,
  paidAt: raw.fundingTimestamp ?? null,
});

async function readPositions(
  made: CcxtExchange,
  assets: readonly string[],
  call: (
    ask: () => ReturnType<CcxtExchange['fetchPositions']>,
  ) => ReturnType<CcxtExchange['fetchPositions']>,
): Promise<Position[]> {
  const asked = made.id === 'bybit' ? assets.map((settleCoin) => ({ settleCoin })) : [{}];
  const all = await Promise.all(
    asked.map((more) => call(() => made.fetchPositions(undefined, { ...OF_PERPETUALS, ...more }))),
  );
  return all.flat().flatMap((raw) => {
    const contracts = readDecimal(raw.contracts);
    const size = readDecimal(raw.contractSize);
    if (contracts?.isZero()) return [];
    return {
      symbol: String(raw.symbol),
      side: raw.side,
      amount: size ? contracts?.times(size).toFixed() : undefined,
      entryPrice: raw.entryPrice,
      markPrice: raw.markPrice,
      liquidationPrice: raw.liquidationPrice,
      unrealisedPnl: raw.unrealizedPnl,
      ...marginOf(raw),
      leverage: raw.leverage,
      marginMode: raw.marginMode,
      time: raw.timestamp ?? null,
    };
  });
}

/**
 * Returns null for margins that Bybit omits in portfolio margin mode, because the library would
 * estimate them.
 */
function marginOf({
  info,
  initialMargin,
  maintenanceMargin,
}: Awaited<ReturnType<CcxtExchange['fetchPositions']>>[number]) {
  const { positionIM, positionMM } = info as { positionIM?: unknown; positionMM?: unknown };
  return {
    initialMargin: positionIM === '' ? null : initialMargin,
    maintenanceMargin: positionMM === '' ? null : maintenanceMargin,
  };
}

/** Corrects the library, which sends OKX no start time and Bybit a page size that Bybit rejects. */
function windowOf(made: CcxtExchange, symbol: string, from: number, to: number) {
  const type = 'swap';
  if (made.id === 'okx') return { type, instId: made.market(symbol).id, begin: from, end: to };
  return { type, until: to, ...(made.id === 'bybit' && { limit: PAGE }) };
}

type RawPayment = Awaited<ReturnType<CcxtExchange['fetchFundingHistory']>>[number];

/**
 * Negates Bybit's amount: Bybit returns the paid amount, other exchanges the received amount.
 * @returns null for a payment without id, asset, amount or time
 */
function paymentOf(
  { id: exchange }: CcxtExchange,
  symbol: string,
  raw: RawPayment,
): FundingPayment | null {
  const amount = readDecimal(raw.amount);
  const id = readName(raw.id);
  const asset = readName(raw.code);
  const time = readTime(raw.timestamp);
  if (!amount || !id || !asset || !time) return null;
  const received = exchange === 'bybit' ? amount.negated() : amount;
  return {
    paymentId: id,
    symbol,
    asset,
    amount: received.toFixed(),
    time: time.getTime(),
  };
}

function unreadable({ timestamp }: RawPayment): string {
  const time = readTime(timestamp)?.toISOString() ?? 'an unknown time';
  return `a funding payment of ${time} was left out, because its id, asset, amount or time is not readable`;
}
