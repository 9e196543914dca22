import { COLLECTED_TIMEFRAME } from '../../candles/timeframe';
import { insertRows } from '../insert-rows';
import { columnMeasures, type HistoryTable, type Storing } from '../kind';
import type { Analysis } from './analyze';
import { ALGORITHM_VERSION } from './classify';
import { type Confirmation, confirmAnalysis } from './confirm';

const regimeKey = (symbol: string, timeframe: string): string =>
  timeframe === COLLECTED_TIMEFRAME ? symbol : `${symbol} ${timeframe}`;

const symbolOf = (key: string) => `split_part(${key}, ' ', 1)`;
const timeframeOf = (key: string) =>
  `coalesce(nullif(split_part(${key}, ' ', 2), ''), '${COLLECTED_TIMEFRAME}')`;

export interface RegimeRow {
  symbol: string;
  timeframe: string;
  analysis: Analysis;
}

export const REGIME_TABLE: HistoryTable = {
  name: 'regime',
  table: 'regime_snapshot',
  time: 'captured_at',
  key: `CASE t.timeframe WHEN '${COLLECTED_TIMEFRAME}' THEN t.symbol ELSE t.symbol || ' ' || t.timeframe END`,
  filters: ['symbol', 'timeframe'],
  ofKey: { symbol: symbolOf('key'), timeframe: timeframeOf('key') },
  decimals: [],
  measures: columnMeasures('confidence', 'score_trend', 'score_range', 'score_volatility'),
  presence: ['confidence'],
  label: 'label',
  ofSeries: () => `t.symbol = ${symbolOf('$1')} AND t.timeframe = ${timeframeOf('$1')}`,
  named: (key) => {
    const [symbol, timeframe = COLLECTED_TIMEFRAME] = key.split(' ');
    return { symbol, timeframe };
  },
};

export async function storeRegimes(
  storing: Storing,
  seen: readonly RegimeRow[],
): Promise<string[]> {
  if (seen.length === 0) return [];
  const rows = [...seen].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const before = await readConfirmations(storing, rows);
  const changed: { row: RegimeRow; after: Confirmation }[] = [];
  const data = rows.map((row) => {
    const known = before.get(keyOf(row)) ?? null;
    const after = confirmAnalysis(known, row.analysis);
    if (after && after !== known) {
      changed.push({ row, after });
      announceConfirmed(storing, row, known, after);
    }
    return columnsOf(row, after);
  });
  await writeConfirmations(storing, changed);
  await insertRows(storing, REGIME_TABLE.table, data);
  return rows.map(keyOf);
}

const keyOf = ({ symbol, timeframe }: RegimeRow): string => regimeKey(symbol, timeframe);

async function readConfirmations(
  { tx, common }: Storing,
  rows: readonly RegimeRow[],
): Promise<Map<string, Confirmation>> {
  const symbols = rows.map(({ symbol }) => symbol);
  const timeframes = rows.map(({ timeframe }) => timeframe);
  const { rows: found } = await tx.query<Confirmation & { symbol: string; timeframe: string }>(
    `SELECT symbol, timeframe, confirmed_label AS "confirmedLabel", candidate_label AS "candidateLabel",
       candidate_count AS "candidateCount", last_candle_at AS "lastCandleAt"
     FROM regime_state WHERE exchange = $1
       AND (symbol, timeframe) IN (SELECT * FROM unnest($2::text[], $3::text[]))
     ORDER BY symbol, timeframe FOR UPDATE`,
    [common.exchange, symbols, timeframes],
  );
  return new Map(
    found.map(({ symbol, timeframe, ...known }) => [regimeKey(symbol, timeframe), known]),
  );
}

async function writeConfirmations(
  { tx, common }: Storing,
  changed: readonly { row: RegimeRow; after: Confirmation }[],
): Promise<void> {
  if (changed.length === 0) return;
  const data = changed.map(({ row, after }) => ({
    exchange: common.exchange,
    symbol: row.symbol,
    timeframe: row.timeframe,
    confirmed_label: after.confirmedLabel,
    candidate_label: after.candidateLabel,
    candidate_count: after.candidateCount,
    last_candle_at: after.lastCandleAt.toISOString(),
  }));
  await tx.query(
    `INSERT INTO regime_state (exchange, symbol, timeframe, confirmed_label, candidate_label, candidate_count,
       last_candle_at)
     SELECT exchange, symbol, timeframe, confirmed_label, candidate_label, candidate_count, last_candle_at
     FROM json_populate_recordset(NULL::regime_state, $1::json) ORDER BY symbol, timeframe
     ON CONFLICT (exchange, symbol, timeframe) DO UPDATE SET
       confirmed_label = excluded.confirmed_label, candidate_label = excluded.candidate_label,
       candidate_count = excluded.candidate_count, last_candle_at = excluded.last_candle_at`,
    [JSON.stringify(data)],
  );
}

function announceConfirmed(
  { announce }: Storing,
  { symbol, timeframe }: RegimeRow,
  before: Confirmation | null,
  after: Confirmation,
): void {
  const label = after.confirmedLabel;
  const last = before?.confirmedLabel ?? null;
  if (label === null || label === last) return;
  const at = after.lastCandleAt.toISOString();
  announce({
    type: 'regime.confirmed',
    data: { symbol, timeframe, label, before: last, last_candle_at: at },
  });
}

function columnsOf({ symbol, timeframe, analysis }: RegimeRow, after: Confirmation | null) {
  const { label, lastCandleAt, scores } = analysis;
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
