import type { ActivityModel, Database } from '@switchyard/db';
import { invalidField } from '@switchyard/server';
import { presentActivity } from '../activity/present-activity';
import { HORIZON } from './horizon';
import { beginningOf, formatPosition, later, type Position, parsePosition } from './position';

/** One row of activity as a stream writes it. */
export interface StreamEvent {
  position: Position;
  frame: string;
}

export interface EventPage {
  events: StreamEvent[];
  /** Everything up to this has been read; what commits later stands behind it. Never before `after`. */
  readTo: Position;
  isFull: boolean;
  /** True when rows are committed that an older transaction may still precede. */
  isHeld: boolean;
}

const PAGE = 100;

/**
 * Reads in the order (transaction, sequence), and only rows of transactions older than every one of
 * this database that is still open. Whatever commits later belongs to such an open or to a future transaction and
 * therefore stands behind all that was read: a reader that goes on from its last position misses
 * nothing, repeats nothing and sees one order, whatever the order of commits. The price is that an
 * open transaction delays the events behind it.
 *
 * Whether rows are held asks for the newest one alone: for EXISTS with a bound that is not known beforehand the planner
 * expects a third of the table to match, and reads all of it where one company owns most rows.
 */
export const READ_EVENTS = `
  SELECT horizon.xid::text AS horizon, horizon.is_held,
    a.transaction_id::text AS transaction, a.sequence::text AS sequence, a.id,
    a.company_id AS "companyId", a.actor_type AS "actorType", a.actor_id AS "actorId",
    a.run_id AS "runId", a.action, a.entity_type AS "entityType", a.entity_id AS "entityId",
    a.details, a.created_at AS "createdAt"
  FROM (
    SELECT xid, coalesce((SELECT transaction_id >= xid FROM activity
      WHERE company_id = $1::uuid ORDER BY transaction_id DESC, sequence DESC LIMIT 1), false) AS is_held
    FROM (${HORIZON} OFFSET 0) open
    OFFSET 0
  ) horizon
  LEFT JOIN LATERAL (
    SELECT * FROM activity
    WHERE company_id = $1::uuid AND (transaction_id, sequence) > ($2::xid8, $3::bigint)
      AND transaction_id < horizon.xid
    ORDER BY transaction_id, sequence LIMIT ${PAGE}
  ) a ON true
  ORDER BY a.transaction_id, a.sequence`;

type Row = Omit<ActivityModel, 'sequence'> & {
  horizon: string;
  is_held: boolean;
  transaction: string | null;
  sequence: string;
};

function streamEvent(row: Row): StreamEvent {
  const position = { transaction: BigInt(row.transaction ?? 0), sequence: BigInt(row.sequence) };
  const data = JSON.stringify(presentActivity(row));
  const frame = `id: ${formatPosition(position)}\nevent: ${row.action}\ndata: ${data}\n\n`;
  return { position, frame };
}

/** The next events of a company behind `after`. */
export async function readEvents(
  db: Database,
  companyId: string,
  after: Position,
): Promise<EventPage> {
  const values = [companyId, String(after.transaction), String(after.sequence)];
  const rows = await db.rows<Row>('read-events', READ_EVENTS, values);
  const [first] = rows as [Row];
  const events = rows.filter((row) => row.transaction !== null).map(streamEvent);
  const last = events.at(-1);
  const isFull = events.length === PAGE;
  return {
    events,
    readTo:
      isFull && last ? last.position : later(last?.position ?? after, beginningOf(first.horizon)),
    isFull,
    isHeld: first.is_held,
  };
}

const START = `
  SELECT horizon.xid::text AS horizon,
    $2::xid8 <= pg_snapshot_xmax(horizon.snapshot) AND ($3::bigint = 0 OR EXISTS (SELECT 1 FROM activity
      WHERE company_id = $1::uuid AND transaction_id = $2::xid8 AND sequence = $3::bigint))
    AS is_known,
    EXISTS (SELECT 1 FROM activity WHERE company_id = $1::uuid AND action = 'company.created')
    OR coalesce((SELECT (transaction_id, sequence) <= ($2::xid8, $3::bigint) FROM activity
      WHERE company_id = $1::uuid ORDER BY transaction_id, sequence LIMIT 1), false) AS is_whole
  FROM (${HORIZON}) horizon`;

/** Where a stream begins that asks for nothing earlier: no commit from now on stands before it. */
export async function presentPosition(db: Database, companyId: string): Promise<Position> {
  const [row] = await db.rows<{ horizon: string }>('start-events', START, [companyId, null, null]);
  return beginningOf(row?.horizon ?? '0');
}

/**
 * Where a stream goes on that was cut off. Retention takes the oldest rows first, so while a company's very
 * first is there nothing is missing; after that, only what stands behind the oldest row is whole.
 * @throws ApiError 400 for an id that no stream of this company has ever handed out, or one so old that
 *   events behind it are gone: the client reads the state anew and streams from now on
 */
export async function resumePosition(
  db: Database,
  companyId: string,
  lastEventId: string,
): Promise<Position> {
  const refusal = invalidField('Last-Event-ID', 'is not an event of this company');
  const at = parsePosition(lastEventId);
  if (!at) throw refusal;
  const values = [companyId, String(at.transaction), String(at.sequence)];
  const [row] = await db.rows<{ is_known: boolean; is_whole: boolean }>(
    'start-events',
    START,
    values,
  );
  if (row && !row.is_whole) {
    throw invalidField('Last-Event-ID', 'is older than the events that are kept');
  }
  if (!row?.is_known) throw refusal;
  return at;
}
