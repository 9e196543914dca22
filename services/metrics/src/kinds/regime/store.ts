import type { MetricsReader } from '@switchyard/db';
import type { Storing } from '../kind';
import { ALGORITHM_VERSION } from './classify';
import { regimeKey } from './columns';
import { confirm } from './confirm';
import type { RegimeRow } from './gather';

/** Row by row in order of symbol: every process locks the labels' counts in the same order. */
export async function storeRegimes(
  { tx, common }: Storing,
  seen: readonly RegimeRow[],
): Promise<string[]> {
  const data = [];
  for (const row of [...seen].sort((one, other) => one.symbol.localeCompare(other.symbol))) {
    data.push({ ...common, ...(await confirmed(tx, common.exchange, row)) });
  }
  if (data.length > 0) await tx.regimeSnapshot.createMany({ data });
  return data.map(({ symbol, timeframe }) => regimeKey(symbol, timeframe));
}

/**
 * Counts the label towards its confirmation. `unknown` says nothing about the market, so it neither confirms nor
 * interrupts.
 * @returns the columns of the snapshot
 */
async function confirmed(tx: MetricsReader, exchange: string, row: RegimeRow) {
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
