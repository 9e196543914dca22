import type { Exchange as CcxtExchange } from 'ccxt';
import { type Decimal, decimal, decimalText, readDecimal } from '../../decimal';
import { ExchangeFailure } from '../failure';
import type { Market } from '../port';

export type MarketsSource = Pick<
  CcxtExchange,
  'id' | 'markets' | 'precisionMode' | 'priceToPrecision' | 'amountToPrecision'
>;

const DECIMAL_PLACES = 2;
const SIGNIFICANT_DIGITS = 3;
const FINEST = '0.00000001';

export const isListed = ({ markets }: Pick<CcxtExchange, 'markets'>, symbol: string): boolean =>
  Object.hasOwn(markets ?? {}, symbol);

const unlisted = ({ id }: Pick<CcxtExchange, 'id'>, symbol: string): ExchangeFailure =>
  new ExchangeFailure('bad_symbol', symbol, `${id} does not list this symbol`);

export function splitListed(
  ccxt: Pick<CcxtExchange, 'id' | 'markets'>,
  symbols: readonly string[],
): { listed: string[]; failures: [string, ExchangeFailure][] } {
  const others = symbols.filter((symbol) => !isListed(ccxt, symbol));
  return {
    listed: symbols.filter((symbol) => isListed(ccxt, symbol)),
    failures: others.map((symbol) => [symbol, unlisted(ccxt, symbol)]),
  };
}

export function marketOf(ccxt: MarketsSource, symbol: string): Market {
  const known = isListed(ccxt, symbol) ? ccxt.markets?.[symbol] : undefined;
  if (!known) throw unlisted(ccxt, symbol);
  const { precision, limits } = known;
  return {
    symbol,
    base: String(known.base),
    quote: String(known.quote),
    minAmount: decimalText(readStep(limits?.amount?.min) ?? FINEST),
    minCost: decimalText(readStep(limits?.cost?.min) ?? FINEST),
    tickAt: (price) => tickAt(ccxt.precisionMode, precision?.price, price),
    roundPrice: (price) => {
      if (!readStep(precision?.price)) return price.div(FINEST).round().times(FINEST);
      return orNothing(() => ccxt.priceToPrecision(symbol, price.toFixed() as never));
    },
    cutAmount: (amount) => {
      if (!readStep(precision?.amount)) return amount.div(FINEST).floor().times(FINEST);
      return orNothing(() => ccxt.amountToPrecision(symbol, amount.toFixed() as never));
    },
  };
}

function orNothing(round: () => unknown): Decimal {
  try {
    return decimal(String(round()));
  } catch {
    return decimal(0);
  }
}

/** Returns the tick size, which depends on `price` if the exchange limits significant digits. */
function tickAt(mode: number | undefined, given: unknown, price: Decimal): string {
  const step = readStep(given);
  if (!step) return FINEST;
  if (mode === DECIMAL_PLACES) return decimalText(decimal(10).pow(step.negated()));
  if (mode !== SIGNIFICANT_DIGITS) return decimalText(step);
  return decimalText(decimal(10).pow(decimal(price.e + 1).minus(step)));
}

function readStep(value: unknown): Decimal | null {
  const read = readDecimal(value);
  return read?.gt(0) ? read : null;
}

/**
 * Binance prefixes assets in flexible Simple Earn with `LD`; they are redeemable one to one. A name
 * with its own market, such as LDO, is a real asset.
 */
export function earnedAsset(
  { id, markets }: Pick<CcxtExchange, 'id' | 'markets'>,
  asset: string,
): string | undefined {
  if (id !== 'binance' || !asset.startsWith('LD')) return undefined;
  const traded = new Set(Object.values(markets ?? {}).flatMap(({ base, quote }) => [base, quote]));
  const earned = asset.slice('LD'.length);
  return !traded.has(asset) && traded.has(earned) ? earned : undefined;
}
