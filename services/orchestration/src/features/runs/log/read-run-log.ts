import { ask, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { RunLogView, runLogQuery } from '@switchyard/types';
import type { z } from 'zod';
import type { Call } from '../../../call';
import { readRun } from '../../../state/runs/runs';

/** A slice of a run's output; offsets are bytes, and a slice never ends inside a character. */
export async function readRunLog(
  { db }: Pick<Call, 'db'>,
  runId: string,
  { offset, limit }: z.infer<typeof runLogQuery>,
): Promise<RunLogView> {
  const run = await readRun(db, runId);
  if (!run) throw notFound('heartbeat run');
  const chunks = await ask(db, readChunks, { runId, from: offset, to: offset + limit });
  const first = chunks[0]?.startOffset ?? offset;
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

const readChunks = statement('read-run-log', {
  takes: { runId: 'uuid', from: 'bigint', to: 'bigint' },
  gives: { startOffset: 'int', content: 'bytes' },
  sql: ({ runId, from, to }) => `
    SELECT start_offset AS "startOffset", content FROM run_log_chunk
    WHERE run_id = ${runId} AND start_offset + length(content) > ${from} AND start_offset < ${to}
    ORDER BY start_offset`,
});

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
