import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { loadCandles } from '../collection/candle-store';
import { claimGenerated } from '../collection/claim-collection';
import { collectRegimes, type RegimeRow } from '../collection/collect-regimes';
import type { ComponentResult } from '../collection/collect-request';
import { REGIME_TIMEFRAME } from '../collection/gather';
import { presentSuccess } from '../collection/present-success';
import { runComponent } from '../collection/run-component';
import { storeCollection } from '../collection/store-collection';
import type { Context } from '../context';
import { TIMEFRAME_MS, type Timeframe } from '../exchange/port';
import { historyQuery } from '../history/history-query';
import { collectionItems } from '../history/raw-history';
import { RequestFailure, valueError } from '../http/failures';
import { storableText } from '../http/fields';
import { NOTE, regimeItem } from './current-regime';

/** Body of POST /regime/analyze; without a symbol the configured ones. */
export const analyzeRequest = z.object({
  symbol: storableText(64).optional(),
  symbols: z.array(storableText(64)).min(1).max(50).optional(),
  timeframe: z
    .enum(Object.keys(TIMEFRAME_MS) as [Timeframe, ...Timeframe[]])
    .default(REGIME_TIMEFRAME),
});

export const analyzeAnswer = z.object({
  collection_id: z.string(),
  items: z.array(regimeItem),
  failures: z.array(z.object({ code: z.string(), target: z.string(), message: z.string() })),
  note: z.string(),
});

const SKIPPED: ComponentResult = {
  status: 'skipped',
  data_points: 0,
  duration_ms: 0,
  failures: [],
};

/**
 * POST /regime/analyze: looks at the regime now and stores it as a collection of source regime_analyze. It
 * does not touch the dashboard, which shows whole collections.
 */
export async function analyzeRegime(
  context: Context,
  request: z.output<typeof analyzeRequest>,
): Promise<z.output<typeof analyzeAnswer>> {
  const { config, db, exchange, logger } = context;
  if (config.exchangeProblem !== null) {
    throw new RequestFailure(500, `configuration: ${config.exchangeProblem}`);
  }
  const named = [...(request.symbols ?? []), ...(request.symbol ? [request.symbol] : [])];
  const symbols = [...new Set(named.length > 0 ? named : config.symbols)];
  const signal = AbortSignal.timeout(config.componentTimeoutMs);
  setMaxListeners(0, signal);
  const loading = symbols.map((symbol) => {
    const candles = loadCandles(context, symbol, request.timeframe, signal);
    candles.catch(() => undefined);
    return [symbol, candles] as const;
  });
  const { rows, result } = await runComponent<RegimeRow>(
    { name: 'regime_analysis', run: (sink) => collectRegimes(exchange, new Map(loading), sink) },
    signal,
    logger,
  );
  const unknown = result.failures.filter(({ code }) => code === 'bad_symbol');
  if (unknown.length === symbols.length) {
    const field = request.symbol ? 'symbol' : 'symbols';
    throw valueError(['body', field], 'the exchange does not list it', request[field] ?? null);
  }
  const settled = await Promise.allSettled(loading.map(([, candles]) => candles));
  const candles = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const claim = await claimGenerated(context, { source: 'regime_analyze' });
  const gathered = {
    balances: [],
    markets: [],
    grids: [],
    regimes: rows,
    candles,
    components: {
      account_balance: { ...SKIPPED },
      market_data: { ...SKIPPED },
      grid_status: { ...SKIPPED },
      regime_analysis: result,
    },
  };
  await storeCollection(context, claim, gathered, {
    isForDashboard: false,
    present: presentSuccess(context, claim, { source: 'regime_analyze' }),
  });
  const query = historyQuery.parse({ collection_id: claim.collectionId });
  const { items } = await collectionItems(db.pool, query);
  return {
    collection_id: claim.collectionId,
    items: items as z.output<typeof regimeItem>[],
    failures: result.failures,
    note: NOTE,
  };
}
