import type { Database } from '@switchyard/db';
import type { RunLogView } from '@switchyard/types';

const APPEND = `
  WITH run AS (
    UPDATE heartbeat_run SET log_bytes = log_bytes + length($3::bytea)
    WHERE id = $1::uuid AND epoch = $2 AND status = 'running'
    RETURNING company_id, id, log_bytes - length($3::bytea) AS start_offset
  )
  INSERT INTO run_log_chunk (company_id, run_id, start_offset, content)
  SELECT company_id, id, start_offset, $3::bytea FROM run RETURNING 1`;

/** Answers false when the claim is outdated: an older worker's output is refused like its result. */
export async function appendRunLog(
  db: Database,
  run: { id: string; epoch: number },
  content: Buffer,
): Promise<boolean> {
  const rows = await db.rows('append-run-log', APPEND, [run.id, run.epoch, content]);
  return rows.length > 0;
}

const READ = `
  SELECT start_offset, content FROM run_log_chunk
  WHERE run_id = $1::uuid AND start_offset + length(content) > $2::bigint
    AND start_offset < $3::bigint
  ORDER BY start_offset`;

/** Bytes at the end of `bytes` that begin a character whose rest is not there yet. */
function unfinishedTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

/** A slice of a run's output; offsets are bytes, and a slice never ends inside a character. */
export async function readRunLog(
  db: Database,
  runId: string,
  query: { offset: number; limit: number },
): Promise<RunLogView> {
  const { offset, limit } = query;
  const run = await db.prisma.heartbeatRun.findUniqueOrThrow({
    where: { id: runId },
    select: { status: true, logBytes: true },
  });
  const chunks = await db.rows<{ start_offset: number; content: Uint8Array }>(
    'read-run-log',
    READ,
    [runId, offset, offset + limit],
  );
  const first = chunks[0]?.start_offset ?? offset;
  const whole = Buffer.concat(chunks.map((chunk) => chunk.content));
  const slice = whole.subarray(Math.max(0, offset - first), offset - first + limit);
  const atEnd = offset + slice.length >= run.logBytes;
  const bytes = atEnd ? slice : slice.subarray(0, slice.length - unfinishedTail(slice));
  const nextOffset = offset + bytes.length;
  const ended = run.status !== 'queued' && run.status !== 'running';
  return {
    runId,
    offset,
    nextOffset,
    content: bytes.toString('utf8'),
    eof: ended && nextOffset >= run.logBytes,
  };
}
