import { ask, statement } from '@switchyard/db';
import type { ProgramProbe } from '@switchyard/runner/agents/probe-programs';
import type { Context } from '../../kernel/context';

export const PROBE_LIFE_SEC = 300;

export async function recordProbes(
  { adapters, db }: Pick<Context, 'adapters' | 'db'>,
  host: string,
  probes: ProgramProbe[],
): Promise<void> {
  const byType = new Map(
    probes.flatMap(({ adapterType, found, message }) => {
      const type = adapters.get(adapterType)?.type;
      return type ? [[type, { adapter_type: type, found, message }]] : [];
    }),
  );
  await ask(db, storeProbes, { host, probes: [...byType.values()] });
}

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
