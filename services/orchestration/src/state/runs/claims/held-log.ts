import { announce, ask, type Database, statement } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import { isHeldBySql, staleTicket, TICKET, type Ticket } from './held-runs';

/**
 * Appends output at its offset and skips bytes that are already stored, so a part may be sent
 * again. Returns the length of the log.
 * @throws ApiError 409 `stale_ticket`, or `conflict` with `logBytes` for a part that begins after
 * the end of the log
 */
export async function appendHeldLog(
  db: Database,
  ticket: Ticket,
  part: { offset: number; content: Uint8Array<ArrayBuffer> },
): Promise<number> {
  const [appended] = await ask(db, append, { ...ticket, ...part });
  if (!appended) throw staleTicket();
  const { before, logBytes } = appended;
  if (part.offset > before) {
    const message = `offset must be at most ${before}, the stored length of the log`;
    throw conflict('conflict', message, { logBytes: before });
  }
  if (logBytes > before) announce(db, ticket.runId);
  return logBytes;
}

const append = statement('append-held-log', {
  takes: { ...TICKET, offset: 'int', content: 'bytes' },
  gives: { before: 'int', logBytes: 'int' },
  sql: (p) => `
    WITH held AS (
      SELECT r.id, r.company_id, r.log_bytes FROM heartbeat_run r
      WHERE ${isHeldBySql('r', p)} AND r.status = 'running' FOR NO KEY UPDATE OF r
    ), grown AS (
      UPDATE heartbeat_run r SET log_bytes = ${p.offset} + length(${p.content}) FROM held
      WHERE r.id = held.id AND ${p.offset} <= held.log_bytes
        AND ${p.offset} + length(${p.content}) > held.log_bytes
      RETURNING r.id, r.company_id, r.log_bytes, held.log_bytes AS start_offset
    ), stored AS (
      INSERT INTO run_log_chunk (company_id, run_id, start_offset, content)
      SELECT company_id, id, start_offset,
        substring(${p.content} FROM start_offset - ${p.offset} + 1) FROM grown
    )
    SELECT held.log_bytes AS before, coalesce(grown.log_bytes, held.log_bytes) AS "logBytes"
    FROM held LEFT JOIN grown ON grown.id = held.id`,
});
