import type { Storing } from '../kind';
import { ALGORITHM_VERSION } from './classify';
import { regimeKey } from './columns';
import { confirm } from './confirm';
import type { RegimeRow } from './gather';

/** Row by row in order of symbol: every process locks the labels' counts in the same order. */
export async function storeRegimes(
  { tx, common, announce }: Storing,
  seen: readonly RegimeRow[],
): Promise<string[]> {
  const data = [];
  for (const row of [...seen].sort((one, other) => one.symbol.localeCompare(other.symbol))) {
    data.push({ ...common, ...(await confirmed({ tx, common, announce }, row)) });
  }
  if (data.length > 0) await tx.regimeSnapshot.createMany({ data });
  return data.map(({ symbol, timeframe }) => regimeKey(symbol, timeframe));
}

/**
 * Counts the label towards its confirmation. `unknown` says nothing about the market, so it neither confirms nor
 * interrupts.
 * @returns the columns of the snapshot
 */
async function confirmed(
  { tx, common, announce }: Pick<Storing, 'tx' | 'common' | 'announce'>,
  row: RegimeRow,
) {
  const { exchange } = common;
  const { symbol, timeframe, analysis } = row;
  const { label, lastCandleAt, scores } = analysis;
  const key = { exchange, symbol, timeframe };
  const where = { exchange_symbol_timeframe: key };
  const before = await tx.regimeState.findUnique({ where });
  const after =
    label === 'unknown' || !lastCandleAt ? before : confirm(before, label, lastCandleAt);
  if (after && after !== before) {
    await tx.regimeState.upsert({ where, create: { ...key, ...after }, update: after });
    if (
      after.confirmedLabel !== null &&
      after.confirmedLabel !== (before?.confirmedLabel ?? null)
    ) {
      const labels = { label: after.confirmedLabel, before: before?.confirmedLabel ?? null };
      const at = after.lastCandleAt.toISOString();
      announce({
        type: 'regime.confirmed',
        data: { symbol, timeframe, ...labels, last_candle_at: at },
      });
    }
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
