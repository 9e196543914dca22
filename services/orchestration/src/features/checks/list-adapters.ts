import { ask, type RowOf, statement } from '@switchyard/db';
import type { KnownAdapter } from '@switchyard/runner/agents/agent-adapter';
import { type AdapterView, adapterAliases } from '@switchyard/types';
import { z } from 'zod';
import type { Call } from '../../kernel/call';
import { PROBE_LIFE_SEC } from './probe-adapters';

export async function listAdapters(call: Call<string | null>): Promise<AdapterView[]> {
  const { adapters, models } = call.context;
  const probes = await ask(call.db, readProbes, {});
  return Promise.all(
    adapters.all.map(async (adapter) => ({
      type: adapter.type,
      aliases: adapterAliases(adapter.type),
      label: adapter.label ?? adapter.type,
      description: adapter.description ?? '',
      configSchema: schemaOf(adapter),
      ...availability(adapter, probes),
      models: (await models.list(adapter.type)) ?? [],
    })),
  );
}

function schemaOf({ configSchema }: KnownAdapter): Record<string, unknown> {
  return z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
}

type Probe = RowOf<typeof readProbes>;

function availability({ type, startsProcesses }: KnownAdapter, probes: Probe[]) {
  if (!startsProcesses)
    return { available: true, reason: 'no installation required', lookedAt: null };
  const own = probes.find(({ adapterType }) => adapterType === type);
  if (!own) {
    const minutes = PROBE_LIFE_SEC / 60;
    const reason = `no runner has reported on it in the last ${minutes} minutes`;
    return { available: null, reason, lookedAt: null };
  }
  const { having, workers, message, lookedAt } = own;
  const some =
    having > 0 && having < workers ? `; available on ${having} of ${workers} runners` : '';
  return { available: having > 0, reason: `${message}${some}`, lookedAt };
}

const readProbes = statement('read-adapter-probes', {
  takes: {},
  gives: {
    adapterType: 'text',
    having: 'int',
    workers: 'int',
    message: 'text',
    lookedAt: 'time',
  },
  sql: () => `
    SELECT adapter_type AS "adapterType", count(*) FILTER (WHERE found)::int AS having,
      count(*)::int AS workers,
      (array_agg(message ORDER BY found DESC, looked_at DESC))[1] AS message,
      max(looked_at) AS "lookedAt"
    FROM adapter_probe WHERE looked_at > now() - interval '${PROBE_LIFE_SEC} seconds'
    GROUP BY adapter_type`,
});
