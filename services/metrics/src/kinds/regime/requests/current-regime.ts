import { ApiError } from '@switchyard/server';
import { z } from 'zod';
import { COLLECTED_TIMEFRAME, timeframeName } from '../../../candles/timeframe';
import { storableText } from '../../../http/fields';
import type { Resources } from '../../../resources';
import type { Row } from '../../kind';
import { presentItem } from '../../present-item';
import { REGIME } from '../regime';

export const regimeQuery = z.strictObject({
  symbol: storableText(64).optional(),
  timeframe: timeframeName.default(COLLECTED_TIMEFRAME),
});

export const regimeItem = z.looseObject({
  symbol: z.string(),
  label: z.string(),
  confirmed_label: z.string().nullable(),
  confidence: z.number(),
  captured_at: z.string(),
  exchange: z.string(),
  simulated: z.boolean(),
});

export type RegimeItem = z.output<typeof regimeItem>;

export const regimeResponse = z.object({
  items: z.array(regimeItem.extend({ age_seconds: z.number(), stale: z.boolean() })),
  generated_at: z.string(),
  note: z.string(),
});

export const NOTE = 'Describes past prices; not trading advice.';

export async function currentRegime(
  { clock, config, db }: Resources,
  { symbol, timeframe }: z.output<typeof regimeQuery>,
): Promise<z.output<typeof regimeResponse>> {
  const now = clock.now();
  const { rows } = await db.pool.query<Row>(
    `SELECT r.*, c.collection_id FROM series s CROSS JOIN LATERAL (
       SELECT * FROM regime_snapshot t
       WHERE t.symbol = ${REGIME.ofKey.symbol} AND t.timeframe = $2 AND t.exchange = s.exchange AND t.simulated = s.simulated
       ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
     ) r JOIN collection c ON c.id = r.collection_ref
     WHERE s.kind = 'regime' AND ($1::text IS NULL OR ${REGIME.ofKey.symbol} = $1)
       AND ${REGIME.ofKey.timeframe} = $2
     ORDER BY s.key, s.exchange, s.simulated`,
    [symbol ?? null, timeframe],
  );
  if (rows.length === 0) {
    const reason = symbol
      ? `no regime of ${symbol} is known: add it to METRICS_SYMBOLS or analyze it`
      : 'no regime is known yet: run a collection or POST /regime/analyze';
    throw new ApiError('not_found', reason);
  }
  return {
    items: rows.map((row) => {
      const { captured_at, stale } = row as { captured_at: Date; stale: boolean };
      const seconds = Math.round((+now - +captured_at) / 1000);
      const isOld = seconds * 1000 > 2 * config.intervalMs;
      const item = presentItem(REGIME, row) as Row as RegimeItem;
      return { ...item, age_seconds: seconds, stale: stale || isOld };
    }),
    generated_at: now.toISOString(),
    note: NOTE,
  };
}
