import { decimal, decimalText } from '../../decimal';
import { asFailure, ExchangeFailure } from '../../exchange/failure';
import { type Holding, readBalance } from '../../exchange/read-balance';
import type { Resources } from '../../resources';
import type { Round, Sink } from '../kind';
import { BRIDGES, loadPrices } from '../load-prices';
import { POSITION } from '../position/position';
import { ceilingOf, type MidPrices, priceOf } from '../price-assets';
import { storable } from '../storable';
import { valueMargin } from './value-margin';

export interface BalanceRow {
  totalRow: boolean;
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
  /** Null if an asset has no price, because a sum without that asset would look like a loss. */
  totalEquity: string | null;
  pricedEquity: string | null;
  marginAssets: Record<string, string | null> | null;
  marginEquity: string | null;
  unrealisedPnl: string | null;
  quoteFree: string | null;
  equityComplete: boolean | null;
  unpricedAssets: string[];
}

export async function gatherBalance(round: Round, sink: Sink<BalanceRow>): Promise<void> {
  const { quote, ignoredAssets } = round.config;
  const { accountType, holdings, failures } = await readAccount(round);
  const margin = await marginOf(round, sink);
  const assets = [
    ...holdings.map(({ valuedAs }) => valuedAs),
    ...(margin ? [...margin.balances.keys(), ...margin.profits.keys()] : []),
  ];
  const priced = [...new Set(assets)].filter((asset) => !ignoredAssets.includes(asset));
  const mids = await loadPrices(round, priced, quote);
  const derived = margin ? valueMargin(margin, quote, mids, ignoredAssets) : null;
  const rows = holdings.flatMap((holding): BalanceRow[] => {
    try {
      return [assetRow(holding, accountType, round.config, mids)];
    } catch (error) {
      failures.push(asFailure(error, holding.asset));
      return [];
    }
  });
  const unpriced = [
    ...rows.filter((row) => row.valueInQuote === null).map((row) => row.asset as string),
    ...(derived?.unpriced ?? []),
  ];
  const reason = `no price in ${quote}: equity is unknown. Add the asset to METRICS_IGNORED_ASSETS if it is worthless`;
  const isIgnored = ({ priceSource }: BalanceRow) => WORTHLESS.includes(priceSource ?? '');
  sink.ignored.push(...rows.filter(isIgnored).map(({ asset }) => asset as string));
  sink.failures.push(...failures);
  sink.failures.push(...unpriced.map((asset) => new ExchangeFailure('unpriced', asset, reason)));
  const sum = rows
    .reduce((all, row) => all.plus(row.valueInQuote ?? 0), decimal(0))
    .plus(derived?.equity ?? 0);
  const pricedEquity = storable('balance', 'priced_equity', sum);
  const isUnknown = margin === null || margin?.isWhole ? [] : [POSITION.component];
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
    marginAssets: derived?.assets ?? null,
    marginEquity: derived && storable('balance', 'margin_equity', derived.equity),
    unrealisedPnl: derived && storable('balance', 'unrealised_pnl', derived.profit),
    quoteFree: decimalText(holdings.find(({ asset }) => asset === quote)?.free ?? 0),
    equityComplete,
    unpricedAssets,
  });
}

const WORTHLESS = ['ignored', 'dust'];

function worthlessness(
  { asset, valuedAs, total }: Holding,
  { quote, ignoredAssets, dustLimit }: Round['config'],
  mids: MidPrices,
): 'ignored' | 'dust' | null {
  if (ignoredAssets.includes(asset) || ignoredAssets.includes(valuedAs)) return 'ignored';
  if (priceOf(valuedAs, quote, mids, BRIDGES)) return null;
  const ceiling = ceilingOf(valuedAs, quote, mids, BRIDGES);
  return ceiling?.times(total).abs().lt(dustLimit) ? 'dust' : null;
}

function assetRow(
  holding: Holding,
  accountType: string,
  config: Round['config'],
  mids: MidPrices,
): BalanceRow {
  const { quote } = config;
  const { asset, valuedAs, free, used, total } = holding;
  const worthless = worthlessness(holding, config, mids);
  const known = worthless === null ? priceOf(valuedAs, quote, mids, BRIDGES) : null;
  const source = valuedAs === asset ? known?.source : known && `as:${valuedAs}`;
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
    priceInQuote: known && storable(asset, 'price_in_quote', known.price),
    valueInQuote: worthless
      ? '0'
      : known && storable(asset, 'value_in_quote', known.price.times(total)),
    priceSource: worthless ?? source ?? 'none',
  };
}

/** Returns null if no perpetuals are collected, and undefined if they could not be read. */
async function marginOf({ config, exchange, seen }: Round, sink: Sink<BalanceRow>) {
  if (config.perpetuals.length === 0 || !exchange.perpetuals) return null;
  const [margin] = await seen(POSITION);
  const reason = 'positions could not be read: equity is unknown';
  if (!margin?.isWhole) {
    sink.failures.push(new ExchangeFailure('unpriced', POSITION.component, reason));
  }
  return margin;
}

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
  marginAssets: null,
  marginEquity: null,
  unrealisedPnl: null,
  quoteFree: null,
  equityComplete: null,
  unpricedAssets: [],
};

async function hadAssets({ db, exchange }: Resources): Promise<boolean> {
  const { rows } = await db.pool.query<{ had: boolean }>({
    name: 'had-assets',
    text: `SELECT EXISTS (SELECT 1 FROM balance_snapshot asset
        WHERE asset.collection_ref = last.collection_ref AND asset.exchange = $1 AND NOT asset.total_row) AS had
      FROM balance_snapshot last WHERE last.total_row AND last.asset IS NULL AND last.exchange = $1
      ORDER BY last.captured_at DESC, last.id DESC LIMIT 1`,
    values: [exchange.name],
  });
  return rows[0]?.had ?? false;
}
