import { ApiError } from '@switchyard/server';
import { z } from 'zod';
import { COLLECTED_TIMEFRAME, timeframeName } from '../../../candles/timeframe';
import type { Timeframe } from '../../../exchange/port';
import { exchangeProblem } from '../../../exchange/problem';
import { storableText } from '../../../http/fields';
import { refuseField } from '../../../http/invalid-request';
import type { Resources } from '../../../resources';
import type { Kind, Row } from '../../kind';
import { presentItem } from '../../present-item';
import { REGIME } from '../regime';
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

interface Gathered {
  components: Record<string, { failures: z.output<typeof analyzeResponse>['failures'] }>;
}

interface Analyzing<Result> extends Resources {
  collector: {
    gather(
      wanted: { kinds: Kind[]; symbols: string[]; timeframe: Timeframe },
      of: Resources,
    ): Promise<Result>;
    store(gathered: Result, source: string, of: Resources): Promise<string>;
  };
}

/**
 * POST /regime/analyze: determines the current regime and stores it as a collection with the source
 * regime_analyze. Does not update the dashboard, which shows only complete collections.
 */
export async function analyzeRegime<Result extends Gathered>(
  context: Analyzing<Result>,
  request: z.output<typeof analyzeRequest>,
): Promise<z.output<typeof analyzeResponse>> {
  const { collector, config, db } = context;
  const problem = exchangeProblem(context);
  if (problem !== null) throw new ApiError('internal_error', `configuration: ${problem}`);
  const { symbol, timeframe } = request;
  const named = [...(request.symbols ?? []), ...(symbol ? [symbol] : [])];
  const symbols = [...new Set(named.length > 0 ? named : config.symbols)];
  const gathered = await collector.gather({ kinds: [REGIME], symbols, timeframe }, context);
  const failures = gathered.components[REGIME.component]?.failures ?? [];
  const unknown = failures.filter(({ code }) => code === 'bad_symbol');
  if (unknown.length === symbols.length) {
    const field = symbol ? 'symbol' : 'symbols';
    throw refuseField(field, 'the exchange does not list this symbol', request[field] ?? null);
  }
  const collectionId = await collector.store(gathered, 'regime_analyze', context);
  const { rows } = await db.pool.query<Row>(
    `SELECT r.*, c.collection_id FROM collection c JOIN regime_snapshot r ON r.collection_ref = c.id
     WHERE c.collection_id = $1 ORDER BY r.captured_at, r.id`,
    [collectionId],
  );
  return {
    collection_id: collectionId,
    items: rows.map((row) => presentItem(REGIME, row) as Row as RegimeItem),
    failures,
    note: NOTE,
  };
}
