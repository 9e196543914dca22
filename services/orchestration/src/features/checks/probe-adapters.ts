import { hostname } from 'node:os';
import { type Loop, repeat } from '@switchyard/async';
import { ask, statement } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import type { Context } from '../../context';
import { typesOfRunners } from '../../state/runs/claims/takers';

/** How long what a worker found is believed; it looks several times as often. */
export const PROBE_LIFE_SEC = 300;
const LOOK_MS = 60_000;

/** In each worker: says again and again whether the programs of the adapters are there, where runs are executed. */
export function startProbes(context: Context): Loop {
  return repeat(async () => {
    await probeAdapters(context).catch((error: unknown) =>
      context.logger.warn('programs of adapters were not looked for', errorFields(error)),
    );
    return LOOK_MS;
  });
}

export async function probeAdapters(
  context: Pick<Context, 'adapters' | 'config' | 'db'>,
  host = hostname(),
): Promise<void> {
  const ofRunners = typesOfRunners(context);
  const probes = [];
  for (const { type, findProgram } of context.adapters.all) {
    if (findProgram && !ofRunners.includes(type))
      probes.push({ adapterType: type, ...(await findProgram()) });
  }
  await recordProbes(context, host, probes);
}

/** What one host, or one runner, found of the programs of adapters; what we have no adapter for is left out. */
export async function recordProbes(
  { adapters, db }: Pick<Context, 'adapters' | 'db'>,
  host: string,
  probes: { adapterType: string; found: boolean; message: string }[],
): Promise<void> {
  const byType = new Map(
    probes.flatMap(({ adapterType, found, message }) => {
      const type = adapters.get(adapterType)?.type;
      return type ? [[type, { adapter_type: type, found, message }]] : [];
    }),
  );
  await ask(db, storeProbes, { host, probes: [...byType.values()] });
}

/** Rows of hosts that are no more go with the first that looks a day later. */
const storeProbes = statement('store-adapter-probes', {
  takes: { host: 'text', probes: 'json' },
  gives: {},
  sql: ({ host, probes }) => `
    WITH gone AS (DELETE FROM adapter_probe WHERE looked_at < now() - interval '1 day')
    INSERT INTO adapter_probe (adapter_type, host, found, message, looked_at)
    SELECT adapter_type, ${host}, found, message, now()
    FROM jsonb_to_recordset(${probes}) AS probe (adapter_type text, found boolean, message text)
    ON CONFLICT (adapter_type, host) DO UPDATE
      SET found = excluded.found, message = excluded.message, looked_at = excluded.looked_at`,
});
