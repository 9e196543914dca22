import { ApiError } from '@switchyard/server';
import { z } from 'zod';
import { findAccount } from '../accounts/find-account';
import { COLLECTED_TIMEFRAME, timeframeName } from '../candles/timeframe';
import type { Context } from '../context';
import { exchangeProblem } from '../exchange/problem';
import { historyQuery } from '../history/history-query';
import { collectionItems } from '../history/raw-history';
import { storableText } from '../http/fields';
import { valueError } from '../http/invalid-request';
import type { Row } from '../kinds/kind';
import { REGIME } from '../kinds/regime/regime';
import { NOTE, type RegimeItem, regimeItem } from './current-regime';

export const analyzeRequest = z.strictObject({
  symbol: storableText(64).optional(),
  symbols: z.array(storableText(64)).min(1).max(50).optional(),
  timeframe: timeframeName.default(COLLECTED_TIMEFRAME),
  account: storableText(32).optional(),
});

export const analyzeResponse = z.object({
  collection_id: z.string(),
  items: z.array(regimeItem),
  failures: z.array(z.object({ code: z.string(), target: z.string(), message: z.string() })),
  note: z.string(),
});

/**
 * POST /regime/analyze: determines the current regime and stores it as a collection with source
 * regime_analyze. Does not update the dashboard, which only shows complete collections.
 */
export async function analyzeRegime(
  context: Context,
  request: z.output<typeof analyzeRequest>,
): Promise<z.output<typeof analyzeResponse>> {
  const own = findAccount(context, request.account, 'body');
  const { collector, config, db } = own;
  const problem = exchangeProblem(own);
  if (problem !== null) throw new ApiError('internal_error', `configuration: ${problem}`);
  const { symbol, timeframe } = request;
  const named = [...(request.symbols ?? []), ...(symbol ? [symbol] : [])];
  const symbols = [...new Set(named.length > 0 ? named : config.symbols)];
  const gathered = await collector.gather({ kinds: [REGIME], symbols, timeframe }, own);
  const failures = gathered.components[REGIME.component]?.failures ?? [];
  const unknown = failures.filter(({ code }) => code === 'bad_symbol');
  if (unknown.length === symbols.length) {
    const field = symbol ? 'symbol' : 'symbols';
    throw valueError(
      ['body', field],
      'the exchange does not list this symbol',
      request[field] ?? null,
    );
  }
  const collectionId = await collector.store(gathered, 'regime_analyze', own);
  const query = historyQuery.parse({ collection_id: collectionId });
  const { items } = await collectionItems(db.pool, query);
  return {
    collection_id: collectionId,
    items: items as Row[] as RegimeItem[],
    failures,
    note: NOTE,
  };
}
