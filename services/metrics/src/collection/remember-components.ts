import type { Sql } from '@switchyard/db';
import type { Exchange } from '../exchange/port';
import type { WebhookEvent } from '../webhooks/outbox';
import type { Claim } from './claim-collection';
import type { Components } from './collect-contract';

async function statusesBefore(tx: Sql, { name, simulated }: Exchange) {
  const { rows } = await tx.query<{ component: string; status: string }>(
    `SELECT component, status FROM component_state WHERE exchange = $1 AND simulated = $2
     ORDER BY component FOR UPDATE`,
    [name, simulated],
  );
  return new Map(rows.map(({ component, status }) => [component, status]));
}

export async function announceComponents(
  tx: Sql,
  exchange: Exchange,
  components: Components,
  announce: (event: WebhookEvent) => void,
): Promise<void> {
  const before = await statusesBefore(tx, exchange);
  for (const [component, { status, failures }] of Object.entries(components)) {
    const hadFailed = before.get(component) === 'failed';
    if (status === 'failed' && !hadFailed) {
      announce({ type: 'component.failed', data: { component, failures } });
    } else if (hadFailed && (status === 'ok' || status === 'partial')) {
      announce({ type: 'component.recovered', data: { component, status } });
    }
  }
}

export async function rememberComponents(
  tx: Sql,
  { capturedAt }: Claim,
  { name, simulated }: Exchange,
  components: Components,
): Promise<void> {
  const names = Object.keys(components).sort();
  const statuses = names.map((component) => components[component]?.status ?? 'skipped');
  await tx.query(
    `INSERT INTO component_state AS known (component, exchange, simulated, status, last_success_at)
     SELECT component, $1, $2, status, CASE status WHEN 'ok' THEN $3::timestamptz END
     FROM unnest($4::text[], $5::text[]) AS seen (component, status)
     ON CONFLICT (component, exchange, simulated) DO UPDATE SET
       status = excluded.status,
       last_success_at = greatest(known.last_success_at, excluded.last_success_at)`,
    [name, simulated, capturedAt, names, statuses],
  );
}
