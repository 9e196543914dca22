import type { MetricsReader } from '@switchyard/db';
import type { KindName } from './kinds';

/** Remembers which series exist; almost always all of them do already. */
export async function recordSeries(
  tx: MetricsReader,
  exchange: string,
  simulated: boolean,
  keys: Partial<Record<KindName, readonly string[]>>,
): Promise<void> {
  const data = Object.entries(keys).flatMap(([kind, own]) =>
    own.map((key) => ({ kind, key, exchange, simulated })),
  );
  await tx.series.createMany({ data, skipDuplicates: true });
}
