import { errorFields, logRepeated } from '@switchyard/server';
import { type Gauge, Registry } from 'prom-client';
import { createGauge, type OfAccount } from '../create-gauge';
import type { Kind } from '../kinds/kind';
import { KINDS } from '../kinds/kinds';
import type { Resources } from '../resources';
import { outboxState } from '../webhooks/outbox';
import { createPortfolioGauges } from './portfolio-gauges';
import { createRiskGauges } from './risk-gauges';

export type Exposition = () => Promise<{ text: string; contentType: string }>;

export function createExposition(resources: Resources, accounts: readonly Resources[]): Exposition {
  const { logger, registry } = resources;
  const readGauges = createGauges(resources, accounts);
  return async () => {
    await readGauges().catch((error: unknown) =>
      logRepeated(logger, 'warn', 'the gauges could not be read', errorFields(error)),
    );
    return { text: await registry.metrics(), contentType: registry.contentType };
  };
}

interface Shown {
  data_at: Date | null;
  components: { component: string; status: string; at: number }[] | null;
}

function createGauges(resources: Resources, accounts: readonly Resources[]): () => Promise<void> {
  const { clock, config, db, registry } = resources;
  const parts = KINDS.map((kind) => ({
    name: kind.name,
    gauges: registerGauges(registry, kind),
    select: samplesSql(kind),
  }));
  const gauge = <Label extends string>(name: string, help: string, labels?: readonly Label[]) =>
    createGauge(registry, name, help, labels);
  const circuit = gauge(
    'exchange_circuit_open',
    'One while the service sends no requests to the exchange.',
  );
  const offset = gauge(
    'exchange_clock_offset_seconds',
    "Lead of the exchange's clock over the local clock.",
  );
  const key = gauge(
    'exchange_key_may',
    'One if the API key permits the action; absent while unknown.',
    ['action'],
  );
  const seen = gauge('dashboard_timestamp_seconds', 'Start of the last collection with data.');
  const succeeded = gauge(
    'last_success_timestamp_seconds',
    'Start of the last collection of a kind without a failure; 0 if never.',
    ['kind'],
  );
  const interval = gauge(
    'interval_seconds',
    'Expected time between collections: METRICS_INTERVAL_SEC.',
  );
  const waiting = gauge(
    'webhooks_waiting',
    'Webhook events that the receiver has not accepted yet.',
  );
  const oldest = gauge(
    'webhooks_oldest_age_seconds',
    'Age of the oldest waiting webhook event; 0 without one.',
  );
  const risk = createRiskGauges(registry);
  const portfolio = createPortfolioGauges(resources, accounts);
  interval.set(config.intervalMs / 1000);
  const columns = parts.map(({ name, select }) => `coalesce((${select}), '[]') AS "${name}"`);
  const latest = `
    WITH shown AS (
      SELECT c.id, c.started_at, $1::text AS owner FROM dashboard_state d JOIN collection c USING (collection_id)
    )
    SELECT (SELECT started_at FROM collection
        WHERE dashboard_updated AND brought_data
        ORDER BY started_at DESC, id DESC LIMIT 1) AS data_at,
      (SELECT json_agg(json_build_object('component', component, 'status', status,
          'at', coalesce(extract(epoch FROM last_success_at), 0)))
        FROM component_state WHERE exchange = $1 AND simulated = $2) AS components,
      ${columns.join(', ')}`;

  const showAccount = async (resources: Resources) => {
    const { account, exchange } = resources;
    const of: OfAccount = account === null ? {} : { account };
    const state = exchange.state();
    circuit.set(of, state.circuit === 'closed' ? 0 : 1);
    if (state.clockOffsetMs !== null) offset.set(of, state.clockOffsetMs / 1000);
    const { permissions } = state.key;
    if (permissions) {
      key.set({ ...of, action: 'trade' }, permissions.trade ? 1 : 0);
      key.set({ ...of, action: 'withdraw' }, permissions.withdraw ? 1 : 0);
    }
    const { rows } = await db.pool.query<Record<string, Sample[]> & Shown>(latest, [
      exchange.name,
      exchange.simulated,
    ]);
    const [row] = rows;
    if (row?.data_at) {
      seen.set(row.data_at.getTime() / 1000);
      succeeded.set({ kind: 'collection' }, row.data_at.getTime() / 1000);
    }
    for (const { component, name } of KINDS) {
      const found = row?.components?.find((one) => one.component === component);
      if (found && found.status !== 'skipped') succeeded.set({ ...of, kind: name }, found.at);
    }
    const showRisk = await risk.read(resources, of);
    return () => {
      for (const { name: kind, gauges } of parts) {
        for (const { name, labels, value } of row?.[kind] ?? []) {
          gauges.get(name)?.set({ ...of, ...labels }, value);
        }
      }
      showRisk();
    };
  };

  const showOutbox = async () => {
    const outbox = await outboxState(db.pool);
    return () => {
      waiting.set(outbox.waiting);
      oldest.set(outbox.oldest_at ? Math.max(0, (+clock.now() - +outbox.oldest_at) / 1000) : 0);
    };
  };

  return async () => {
    key.reset();
    succeeded.reset();
    const ofKinds = parts.flatMap(({ gauges }) => [...gauges.values()]);
    for (const gauge of [...risk.all, ...portfolio.all, ...ofKinds]) gauge.reset();
    const showing = [...accounts.map(showAccount), showOutbox(), portfolio.read()];
    const read = await Promise.allSettled(showing);
    for (const one of read) if (one.status === 'fulfilled') one.value();
    const failed = read.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  };
}

function registerGauges(registry: Registry, { gauges }: Kind): Map<string, Gauge> {
  const made = new Map<string, Gauge>();
  for (const { name, help, labels } of gauges) {
    if (made.has(name)) continue;
    made.set(name, createGauge(registry, name, help, Object.keys(labels)) as Gauge);
  }
  return made;
}

interface Sample {
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

export function kindMetricsList(): string {
  const registry = new Registry();
  for (const kind of KINDS) registerGauges(registry, kind);
  const lines = registry.getMetricsAsArray().map((metric) => {
    const { help, labelNames, name } = metric as unknown as Described;
    const labels = labelNames.filter(isOwn).map((label) => `\`${label}\``);
    return `- \`${name}\` (${labels.join(', ')}): ${help}`;
  });
  return lines.join('\n');
}

const isOwn = (label: string) => label !== 'account';

interface Described {
  name: string;
  help: string;
  labelNames: readonly string[];
}
