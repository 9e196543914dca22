import type { Gauge, Registry } from 'prom-client';
import { createGauge } from '../create-gauge';
import type { Kind } from '../kinds/kind';

export function registerGauges(registry: Registry, { gauges }: Kind): Map<string, Gauge> {
  const made = new Map<string, Gauge>();
  for (const { name, help, labels } of gauges) {
    if (made.has(name)) continue;
    made.set(name, createGauge(registry, name, help, Object.keys(labels)) as Gauge);
  }
  return made;
}

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export function samplesSql({ gauges, gaugesFrom, table }: Kind): string {
  const samples = gauges.map(({ name, labels, value }) => {
    const pairs = Object.entries(labels).map(([label, sql]) => `'${label}', ${sql}`);
    return `('${name}', json_build_object(${pairs.join(', ')}), (${value})::float8)`;
  });
  const rows = `${table} t JOIN shown ON t.collection_ref = shown.id AND t.exchange = shown.owner`;
  return `SELECT json_agg(sample) FROM ${gaugesFrom ?? rows}
    CROSS JOIN LATERAL (VALUES ${samples.join(', ')}) AS sample (name, labels, value)
    WHERE sample.value IS NOT NULL`;
}
