import { Gauge, type Registry } from 'prom-client';

/** What starts with a name here is explained in the repository's docs/metrics.md, and nothing else is. */
export const METRIC_PREFIX = 'marketmetrics';

/** Where there are several accounts, what belongs to one says so. */
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
