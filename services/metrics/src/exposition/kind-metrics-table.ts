import { markdownTable } from '@switchyard/server';
import { Registry } from 'prom-client';
import { KINDS } from '../kinds/kinds';

/** What the kinds show Prometheus, as docs/metrics.md has it. */
export function kindMetricsTable(): string {
  const registry = new Registry();
  for (const kind of KINDS) kind.gauges(registry);
  const rows = registry.getMetricsAsArray().map((metric) => {
    const { help, labelNames, name } = metric as unknown as Described;
    return [`\`${name}\``, 'gauge', labelNames.map((label) => `\`${label}\``).join(', '), help];
  });
  return markdownTable([['metric', 'type', 'labels', 'meaning'], ...rows]);
}

/** What a gauge was made of; its types do not name them. */
interface Described {
  name: string;
  help: string;
  labelNames: readonly string[];
}
