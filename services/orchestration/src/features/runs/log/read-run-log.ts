import { ask, type Database, statement } from '@switchyard/db';
import { beginOfCharacter } from '@switchyard/runner/agents/output/capped-output';
import { notFound } from '@switchyard/server';
import type { RunLogView, runLogQuery } from '@switchyard/types';
import type { z } from 'zod';
import type { Call } from '../../../kernel/call';
import { type RunRow, readRun } from '../../../state/runs/runs';

export async function readRunLog(
  { db }: Pick<Call, 'db'>,
  runId: string,
  { offset, limit, tail }: z.infer<typeof runLogQuery>,
): Promise<RunLogView> {
  const run = await readRun(db, runId);
  if (!run) throw notFound('heartbeat run');
  const from = await characterAt(db, run, tail === undefined ? offset : run.logBytes - tail);
  const slice = await readSlice(db, run, from, tail ?? limit);
  const { content, eof, nextOffset } = slice;
  return { runId, offset: slice.offset, nextOffset, content, eof, size: run.logBytes };
}

export interface LogSlice {
  run: RunRow;
  offset: number;
  nextOffset: number;
  content: string;
  eof: boolean;
}

export async function readSlice(
  db: Database,
  run: RunRow,
  offset: number,
  limit: number,
): Promise<LogSlice> {
  const slice = await readBytes(db, run.id, offset, offset + limit);
  const hasEnded = run.status !== 'queued' && run.status !== 'running';
  const isLast = hasEnded && offset + slice.length >= run.logBytes;
  const bytes = isLast ? slice : slice.subarray(0, slice.length - unfinishedTail(slice));
  const nextOffset = offset + bytes.length;
  const eof = hasEnded && nextOffset >= run.logBytes;
  return { run, offset, nextOffset, content: bytes.toString('utf8'), eof };
}

export async function characterAt(db: Database, run: RunRow, offset: number): Promise<number> {
  if (offset <= 0) return 0;
  const bytes = await readBytes(db, run.id, offset, offset + 4);
  return offset + beginOfCharacter(bytes);
}

export async function readBytes(
  db: Database,
  runId: string,
  from: number,
  to: number,
): Promise<Buffer> {
  const chunks = await ask(db, readChunks, { runId, from, to });
  const first = chunks[0]?.startOffset ?? from;
  return Buffer.concat(chunks.map((chunk) => chunk.content)).subarray(from - first, to - first);
}

const readChunks = statement('read-run-log', {
  takes: { runId: 'uuid', from: 'bigint', to: 'bigint' },
  gives: { startOffset: 'int', content: 'bytes' },
  sql: ({ runId, from, to }) => `
    SELECT start_offset AS "startOffset", content FROM run_log_chunk
    WHERE run_id = ${runId} AND start_offset < ${to} AND start_offset >= coalesce(
      (SELECT max(start_offset) FROM run_log_chunk WHERE run_id = ${runId} AND start_offset <= ${from}), 0)
    ORDER BY start_offset`,
});

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
