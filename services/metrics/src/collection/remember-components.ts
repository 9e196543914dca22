import type { MetricsReader } from '@switchyard/db';
import type { Exchange } from '../exchange/port';
import type { Claim } from './claim-collection';
import type { Components } from './collect-contract';

/** In the order of their names, as every process writes them: so that none waits in a circle. */
export async function rememberComponents(
  tx: MetricsReader,
  { capturedAt }: Claim,
  { name, simulated }: Exchange,
  components: Components,
): Promise<void> {
  const names = Object.keys(components).sort();
  const statuses = names.map((component) => components[component]?.status ?? 'skipped');
  await tx.$executeRaw`
    INSERT INTO component_state AS known (component, exchange, simulated, status, last_success_at)
    SELECT component, ${name}, ${simulated}, status, CASE status WHEN 'ok' THEN ${capturedAt}::timestamptz END
    FROM unnest(${names}::text[], ${statuses}::text[]) AS seen (component, status)
    ON CONFLICT (component, exchange, simulated) DO UPDATE SET
      status = excluded.status,
      last_success_at = greatest(known.last_success_at, excluded.last_success_at)`;
}
