import { markdownTable } from '@switchyard/server';
import { Registry } from 'prom-client';
import { KINDS } from '../kinds/kinds';
import { registerGauges } from './kind-gauges';

export function kindMetricsTable(): string {
  const registry = new Registry();
  for (const kind of KINDS) registerGauges(registry, kind);
  const rows = registry.getMetricsAsArray().map((metric) => {
    const { help, labelNames, name } = metric as unknown as Described;
    return [
      `\`${name}\``,
      'gauge',
      labelNames
        .filter(isOwn)
        .map((label) => `\`${label}\``)
        .join(', '),
      help,
    ];
  });
  return markdownTable([['metric', 'type', 'labels', 'meaning'], ...rows]);
}

const isOwn = (label: string) => label !== 'account';

interface Described {
  name: string;
  help: string;
  labelNames: readonly string[];
}
