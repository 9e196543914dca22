import { ask, type Client, newId, statement, type Transaction } from '@switchyard/db';

export interface NewEventDelivery {
  id: string;
  type: string;
  body: string;
}

export async function insertEvents(
  tx: Transaction,
  endpoint: { id: string; companyId: string },
  events: readonly NewEventDelivery[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const { id: endpointId, companyId } = endpoint;
  const rows = events.map((event) => ({
    ...{ id: newId(), webhook_id: `evt_${event.id}` },
    ...{ event_type: event.type, body: event.body },
  }));
  return (await ask(tx, insert, { endpointId, companyId, rows })).map(({ id }) => id);
}

const insert = statement('insert-event-deliveries', {
  takes: { endpointId: 'uuid', companyId: 'uuid', rows: 'json' },
  gives: { id: 'uuid' },
  sql: ({ endpointId, companyId, rows }) => `
    INSERT INTO delivery (id, company_id, endpoint_id, queue, webhook_id, event_type, body, next_attempt_at)
    SELECT id, ${companyId}, ${endpointId}, ${endpointId}, webhook_id, event_type, body, clock_timestamp()
    FROM jsonb_to_recordset(${rows}) AS event (id uuid, webhook_id text, event_type text, body text)
    ON CONFLICT (endpoint_id, webhook_id) DO NOTHING RETURNING id`,
});

export async function resendDelivery(tx: Transaction, deliveryId: string): Promise<void> {
  await ask(tx, resend, { deliveryId });
}

const resend = statement('resend-delivery', {
  takes: { deliveryId: 'uuid' },
  gives: {},
  sql: ({ deliveryId }) => `
    UPDATE delivery SET status = 'pending', attempts = 0, next_attempt_at = clock_timestamp()
    WHERE id = ${deliveryId} AND status <> 'waiting'`,
});

/**
 * Makes all deliveries since a time due again, and moves the endpoint back to the first transaction
 * with an event since then. Never moves the endpoint forward, because it would skip unread events
 * and open transactions.
 * @returns the number of deliveries
 */
export async function resendSince(
  tx: Transaction,
  values: { endpointId: string; since: string },
): Promise<number> {
  const [found] = await ask(tx, resendAll, values);
  return found?.count ?? 0;
}

const resendAll = statement('resend-deliveries-since', {
  takes: { endpointId: 'uuid', since: 'time' },
  gives: { count: 'int' },
  sql: ({ endpointId, since }) => `
    WITH resent AS (
      UPDATE delivery SET status = 'pending', attempts = 0, next_attempt_at = clock_timestamp()
      WHERE endpoint_id = ${endpointId} AND created_at >= ${since} RETURNING id
    ), moved AS (
      UPDATE endpoint e SET event_transaction = first.transaction, event_sequence = 0
      FROM (
        SELECT min(a.transaction_id::text::bigint) AS transaction
        FROM endpoint CROSS JOIN LATERAL (
          SELECT created_at FROM activity WHERE company_id = endpoint.company_id
            AND created_at >= greatest(${since}, now() - interval '30 days')
          ORDER BY created_at LIMIT 1
        ) earliest JOIN activity a ON a.company_id = endpoint.company_id
          AND a.created_at BETWEEN earliest.created_at AND earliest.created_at + interval '1 minute'
        WHERE endpoint.id = ${endpointId}
      ) first
      WHERE e.id = ${endpointId} AND first.transaction <= e.event_transaction
    )
    SELECT count(*)::int AS count FROM resent`,
});

export async function giveUpDeliveries(tx: Transaction, endpointId: string): Promise<void> {
  await ask(tx, giveUp, { endpointId });
}

const giveUp = statement('give-up-deliveries', {
  takes: { endpointId: 'uuid' },
  gives: {},
  sql: ({ endpointId }) => `
    UPDATE delivery SET status = 'given_up', next_attempt_at = NULL
    WHERE endpoint_id = ${endpointId} AND status = 'pending'`,
});

/**
 * Waits for transactions that store events for the company's endpoints. Call before locking the
 * company's row: those transactions lock the endpoint first and then the company.
 */
export async function lockEndpoints(tx: Transaction, companyId: string): Promise<void> {
  await ask(tx, lockAll, { companyId });
}

const lockAll = statement('lock-endpoints', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) =>
    `SELECT FROM endpoint WHERE company_id = ${companyId} ORDER BY id FOR NO KEY UPDATE`,
});

export async function disableEndpoints(tx: Transaction, companyId: string): Promise<void> {
  await ask(tx, disableAll, { companyId });
  await ask(tx, giveUpAll, { companyId });
}

const disableAll = statement('disable-endpoints', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `
    UPDATE endpoint SET status = 'disabled', disabled_reason = 'board', updated_at = now()
    WHERE company_id = ${companyId} AND status = 'enabled'`,
});

const giveUpAll = statement('give-up-endpoint-deliveries', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `
    UPDATE delivery SET status = 'given_up', next_attempt_at = NULL
    WHERE company_id = ${companyId} AND endpoint_id IS NOT NULL AND status = 'pending'`,
});

/**
 * Counts a response for its endpoint: 410, or three days with only failures, disables the endpoint.
 * @returns the reason if this response disabled the endpoint; otherwise null
 */
export async function countAnswer(
  tx: Transaction,
  endpointId: string,
  kind: 'delivered' | 'retry' | 'gone' | 'given_up',
): Promise<string | null> {
  const [disabled] = await ask(tx, count, { endpointId, kind });
  if (!disabled) return null;
  await giveUpDeliveries(tx, endpointId);
  return disabled.reason;
}

const FAILING = `interval '3 days'`;

const count = statement('count-endpoint-answer', {
  takes: { endpointId: 'uuid', kind: 'text' },
  gives: { reason: 'text' },
  sql: ({ endpointId, kind }) => `
    WITH counted AS (
      UPDATE endpoint e SET
        failing_since = CASE WHEN ${kind} <> 'delivered' THEN coalesce(e.failing_since, clock_timestamp()) END,
        status = CASE WHEN ${kind} = 'gone' OR ${kind} <> 'delivered' AND e.failing_since < clock_timestamp() - ${FAILING}
          THEN 'disabled' ELSE e.status END,
        disabled_reason = CASE WHEN ${kind} = 'gone' THEN 'gone'
          WHEN ${kind} <> 'delivered' AND e.failing_since < clock_timestamp() - ${FAILING} THEN 'failing' END
      WHERE e.id = ${endpointId} AND e.status = 'enabled'
        AND (${kind} <> 'delivered' OR e.failing_since IS NOT NULL)
      RETURNING e.disabled_reason
    )
    SELECT coalesce(disabled_reason, '') AS reason FROM counted WHERE disabled_reason IS NOT NULL`,
});

/** Prevents a restored copy from sending the deliveries of the original system again. */
export async function haltRestored(client: Client): Promise<void> {
  await client.query(
    `UPDATE delivery SET status = 'given_up', next_attempt_at = NULL WHERE status IN ('waiting', 'pending')`,
  );
  await client.query(
    `UPDATE endpoint SET status = 'disabled', disabled_reason = 'restored' WHERE status = 'enabled'`,
  );
}
