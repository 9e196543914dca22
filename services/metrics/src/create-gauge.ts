import { Gauge, type Registry } from 'prom-client';

export const METRIC_PREFIX = 'marketmetrics';

export type OfAccount = { account?: string };

export function createGauge<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
) {
  return new Gauge({
    name: `${METRIC_PREFIX}_${name}`,
    help,
    labelNames: [...labelNames, 'account' as const],
    registers: [registry],
  });
}
