import { type Loop, repeat } from '@switchyard/async';
import { ask, statement } from '@switchyard/db';
import { errorFields, logRepeated } from '@switchyard/server';
import type { ListedActivityView, WebhookEventType } from '@switchyard/types';
import { inTransaction, systemCall } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { insertEvents } from '../../state/deliveries/endpoint-deliveries';
import { formatPosition } from '../events/position';
import { readEvents } from '../events/read-events';
import { shapeEvent, webhookEvent } from './webhook-event';

const POLL_MS = 500;

export function startCollecting(context: Context, onDeliveries: () => void): Loop {
  return repeat(async () => {
    try {
      const { deliveries, isBehind } = await collectEvents(context);
      if (deliveries > 0) onDeliveries();
      return isBehind ? 0 : POLL_MS;
    } catch (error) {
      const fields = errorFields(error);
      logRepeated(context.logger, 'warn', 'events for endpoints could not be read', fields);
      return POLL_MS;
    }
  });
}

/**
 * Reads a page of events for each endpoint that is behind. A failed endpoint is retried in a later
 * call.
 * @returns `isBehind` is true if an endpoint has more events than one page
 */
export async function collectEvents(context: Context) {
  let [deliveries, isBehind] = [0, false];
  for (const { id, companyId } of await ask(context.db, findBehind, {})) {
    try {
      const collected = await collectFor(context, id, companyId);
      deliveries += collected.deliveries;
      isBehind ||= collected.isFull;
    } catch (error) {
      const fields = { endpointId: id, ...errorFields(error) };
      logRepeated(context.logger, 'warn', 'events for an endpoint could not be read', fields);
    }
  }
  return { deliveries, isBehind };
}

/** Moves the position in the same transaction, so that no event is skipped or repeated. */
function collectFor(context: Context, id: string, companyId: string) {
  return inTransaction(systemCall(context, companyId), async (tx) => {
    const [endpoint] = await ask(tx, lockFree, { id });
    if (!endpoint) return { deliveries: 0, isFull: false };
    const { transaction, sequence, prefix, shape } = endpoint;
    const at = { transaction: BigInt(transaction), sequence: BigInt(sequence) };
    const { events, readTo, isFull } = await readEvents(tx, companyId, at);
    const wanted = events.flatMap(({ activity, position }) => {
      const link = linkOf(activity, `${context.config.publicUrl}/${prefix}`);
      const event = webhookEvent(activity, formatPosition(position), link);
      return event && isWanted(endpoint.events, event.type)
        ? [{ ...event, body: shapeEvent(shape, event) }]
        : [];
    });
    const { length: deliveries } = await insertEvents(tx, { id, companyId }, wanted);
    const to = { transaction: String(readTo.transaction), sequence: String(readTo.sequence) };
    if (to.transaction !== transaction || to.sequence !== sequence) {
      await ask(tx, moveOn, { id, ...to });
    }
    return { deliveries, isFull };
  });
}

const isWanted = (events: string[] | null, type: WebhookEventType) =>
  !events?.length || events.includes(type);

function linkOf({ entityType, entityId, entity }: ListedActivityView, company: string): string {
  if (entityType === 'issue') return `${company}/issues/${entity?.identifier ?? entityId}`;
  const page = PAGES[entityType];
  return page ? `${company}/${page}/${entityId}` : company;
}

const PAGES: Record<string, string> = {
  heartbeat_run: 'runs',
  agent: 'agents',
  approval: 'approvals',
};

const findBehind = statement('endpoints-behind', {
  takes: {},
  gives: { id: 'uuid', companyId: 'uuid' },
  sql: () => `
    SELECT e.id, e.company_id AS "companyId" FROM endpoint e
    WHERE e.status = 'enabled' AND (
      SELECT (a.transaction_id, a.sequence) > (e.event_transaction::text::xid8, e.event_sequence)
      FROM activity a WHERE a.company_id = e.company_id
      ORDER BY a.transaction_id DESC, a.sequence DESC LIMIT 1)
    ORDER BY e.id`,
});

const lockFree = statement('lock-free-endpoint', {
  takes: { id: 'uuid' },
  gives: {
    transaction: 'text',
    sequence: 'text',
    events: 'text[]?',
    shape: 'text',
    prefix: 'text',
  },
  sql: ({ id }) => `
    SELECT e.event_transaction::text AS transaction, e.event_sequence::text AS sequence, e.events, e.shape,
      c.issue_prefix AS prefix
    FROM endpoint e JOIN company c ON c.id = e.company_id
    WHERE e.id = ${id} AND e.status = 'enabled' FOR NO KEY UPDATE OF e SKIP LOCKED`,
});

const moveOn = statement('move-endpoint-on', {
  takes: { id: 'uuid', transaction: 'text', sequence: 'text' },
  gives: {},
  sql: ({ id, transaction, sequence }) => `
    UPDATE endpoint SET event_transaction = ${transaction}::bigint, event_sequence = ${sequence}::bigint
    WHERE id = ${id}`,
});
