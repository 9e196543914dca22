import type { MetricsReader } from '@switchyard/db';
import type { RegimeRow } from '../collection/collect-regimes';
import { ALGORITHM_VERSION } from './classify';
import { confirm } from './confirm';

/**
 * Counts the label towards its confirmation and answers the snapshot row. `unknown` says nothing about the
 * market, so it neither confirms nor interrupts.
 */
export async function settleRegime(tx: MetricsReader, exchange: string, row: RegimeRow) {
  const { symbol, timeframe, analysis } = row;
  const { label, lastCandleAt, scores } = analysis;
  const key = { exchange, symbol, timeframe };
  const where = { exchange_symbol_timeframe: key };
  const before = await tx.regimeState.findUnique({ where });
  const after =
    label === 'unknown' || !lastCandleAt ? before : confirm(before, label, lastCandleAt);
  if (after && after !== before) {
    await tx.regimeState.upsert({ where, create: { ...key, ...after }, update: after });
  }
  return {
    symbol,
    timeframe,
    label,
    confirmedLabel: after?.confirmedLabel ?? null,
    confidence: analysis.confidence,
    scoreTrend: scores?.trend ?? null,
    scoreRange: scores?.range ?? null,
    scoreVolatility: scores?.volatility ?? null,
    indicators: { ...analysis.indicators },
    candlesUsed: analysis.candlesUsed,
    lastCandleAt,
    sourceTime: lastCandleAt,
    stale: analysis.reasons.includes('stale'),
    algorithmVersion: ALGORITHM_VERSION,
    reasons: analysis.reasons,
  };
}
