import { ask, type Database, type RowOf, select, statement } from '@switchyard/db';
import { invalidField } from '@switchyard/server';
import type { ListedActivityView } from '@switchyard/types';
import { ACTIVITY_VIEW } from '../../kernel/activity';
import { actorName } from '../../lists/row-facts';
import { entityOf, presentEntity } from '../activity/entity-of';
import type { FeedPage } from './company-feed';
import { frame } from './event-writer';
import { OLDEST_OPEN_TRANSACTION } from './oldest-open-transaction';
import { beginningOf, formatPosition, later, type Position, parsePosition } from './position';

export interface StreamEvent {
  position: Position;
  activity: ListedActivityView;
  frame: string;
}

export type EventPage = FeedPage<StreamEvent>;

export async function readEvents(
  db: Database,
  companyId: string,
  after: Position,
): Promise<EventPage> {
  const rows = await ask(db, eventsBehind, { companyId, ...textsOf(after) });
  const [first] = rows as [EventRow];
  const events = rows.filter((row) => row.transaction !== null).map(streamEvent);
  const last = events.at(-1);
  const isFull = events.length === PAGE;
  return {
    events,
    readTo:
      isFull && last ? last.position : later(last?.position ?? after, beginningOf(first.horizon)),
    isFull,
    isHeld: first.isHeld,
  };
}

const PAGE = 100;

/** PostgreSQL's transaction ids can exceed Number.MAX_SAFE_INTEGER. */
const textsOf = ({ transaction, sequence }: Position) => ({
  transaction: String(transaction),
  sequence: String(sequence),
});

/**
 * Reads in the order (transaction, sequence), and only rows of transactions older than every open
 * one. Later commits come after the returned rows, so a reader misses and repeats no row.
 */
export const eventsBehind = statement('read-events', {
  takes: { companyId: 'uuid', transaction: 'text', sequence: 'text' },
  gives: {
    horizon: 'text',
    isHeld: 'bool',
    transaction: 'text?',
    sequence: 'text?',
    ...ACTIVITY_VIEW,
    actorName: 'text?',
    entity: 'text?',
  },
  sql: ({ companyId, transaction, sequence }) => `
    SELECT horizon.xid::text AS horizon, horizon.is_held AS "isHeld",
      a.transaction_id::text AS transaction, a.sequence::text AS sequence, ${select(ACTIVITY_VIEW, 'a')},
      ${actorName('a')} AS "actorName", ${entityOf('a')} AS entity
    FROM (
      SELECT xid, coalesce((SELECT transaction_id >= xid FROM activity
        WHERE company_id = ${companyId} ORDER BY transaction_id DESC, sequence DESC LIMIT 1), false) AS is_held
      FROM (${OLDEST_OPEN_TRANSACTION} OFFSET 0) open
      OFFSET 0
    ) horizon
    LEFT JOIN LATERAL (
      SELECT * FROM activity
      WHERE company_id = ${companyId} AND (transaction_id, sequence) > (${transaction}::xid8, ${sequence}::bigint)
        AND transaction_id < horizon.xid
      ORDER BY transaction_id, sequence LIMIT ${PAGE}
    ) a ON true
    ORDER BY a.transaction_id, a.sequence`,
});

type EventRow = RowOf<typeof eventsBehind>;

function streamEvent({ horizon, isHeld, transaction, sequence, ...row }: EventRow): StreamEvent {
  const activity = { ...row, entity: presentEntity(row.entity) } as ListedActivityView;
  const position = { transaction: BigInt(transaction ?? 0), sequence: BigInt(sequence ?? 0) };
  return { position, activity, frame: frame(activity.action, activity, formatPosition(position)) };
}

export async function presentPosition(db: Database, companyId: string): Promise<Position> {
  const [row] = await ask(db, startEvents, { companyId, transaction: null, sequence: null });
  return beginningOf(row?.horizon ?? '0');
}

/**
 * Retention deletes the oldest rows first. No event is missing while the company's first row
 * exists; after its deletion, only events before the oldest row are missing.
 * @throws ApiError 400 for an unknown id, or one that is too old
 */
export async function resumePosition(
  db: Database,
  companyId: string,
  lastEventId: string,
): Promise<Position> {
  const refusal = invalidField('Last-Event-ID', 'must be the id of an event of this company');
  const at = parsePosition(lastEventId);
  if (!at) throw refusal;
  const [row] = await ask(db, startEvents, { companyId, ...textsOf(at) });
  if (row && !row.isWhole) {
    throw invalidField(
      'Last-Event-ID',
      'is older than the oldest stored event: connect without it',
    );
  }
  if (!row?.isKnown) throw refusal;
  return at;
}

const startEvents = statement('start-events', {
  takes: { companyId: 'uuid', transaction: 'text?', sequence: 'text?' },
  gives: { horizon: 'text', isKnown: 'bool?', isWhole: 'bool?' },
  sql: ({ companyId, transaction, sequence }) => `
    SELECT horizon.xid::text AS horizon,
      ${transaction}::xid8 <= pg_snapshot_xmax(horizon.snapshot) AND (${sequence}::bigint = 0 OR EXISTS (
        SELECT 1 FROM activity WHERE company_id = ${companyId} AND transaction_id = ${transaction}::xid8
          AND sequence = ${sequence}::bigint))
      AS "isKnown",
      EXISTS (SELECT 1 FROM activity WHERE company_id = ${companyId} AND action = 'company.created')
      OR coalesce((SELECT (transaction_id, sequence) <= (${transaction}::xid8, ${sequence}::bigint) FROM activity
        WHERE company_id = ${companyId} ORDER BY transaction_id, sequence LIMIT 1), false) AS "isWhole"
    FROM (${OLDEST_OPEN_TRANSACTION}) horizon`,
});
