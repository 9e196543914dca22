import { invalidField, notFound } from '@switchyard/server';
import type { runLogEvents, StreamRunLogQuery } from '@switchyard/types';
import type { z } from 'zod';
import { type RunRow, readRun } from '../../../state/runs/runs';
import { eventStreams } from '../../events/event-streams';
import { frameOf } from '../../events/event-writer';
import { type Stream, type StreamCall, serveStream } from '../../events/serve-stream';
import { characterAt } from './read-run-log';
import { runLogs } from './run-logs';

/**
 * `GET …/log/events` (docs/contract.md, "A run's log"). Reads the next part only after the client
 * has received the previous one.
 * @throws ApiError 400 for an invalid event id, 429 and 503 with `Retry-After` at a limit
 */
export async function streamRunLog(
  call: StreamCall,
  runId: string,
  query: StreamRunLogQuery,
): Promise<void> {
  const lastEventId = call.request.get('last-event-id') ?? '';
  if (OVER.test(lastEventId)) return void call.response.writeHead(204).end();
  const at = await startOf(call, runId, lastEventId, query);
  await serveStream(call, `id: ${at}\n\n`, async (stream) => {
    const leave = runLogs(call.context).follow(runId, stream.news.notify);
    try {
      await follow(call, runId, at, stream);
    } finally {
      leave();
    }
  });
}

const OVER = /^\d{1,10}-ended$/;

async function startOf(
  { db }: StreamCall,
  runId: string,
  lastEventId: string,
  { from, tail }: StreamRunLogQuery,
): Promise<number> {
  if (/^\d{1,10}$/.test(lastEventId)) return Number(lastEventId);
  if (lastEventId !== '')
    throw invalidField('Last-Event-ID', 'must be the id of an event of this stream');
  if (tail === undefined && from === 0) return 0;
  const run = await readRun(db, runId);
  if (!run) throw notFound('heartbeat run');
  return characterAt(db, run, tail === undefined ? from : run.logBytes - tail);
}

async function follow(
  { context }: StreamCall,
  runId: string,
  start: number,
  stream: Stream,
): Promise<void> {
  const { pollMs } = eventStreams(context).limits;
  let at = start;
  while (stream.isOpen()) {
    const part = await runLogs(context)
      .read(runId, at)
      .catch(() => undefined);
    if (part === null) return;
    if (part && part.nextOffset > at) {
      const { offset, nextOffset, content } = part;
      await stream.send(frameOf('log', { offset, nextOffset, content }, String(nextOffset)));
      at = nextOffset;
    } else if (!part?.eof) await stream.news.wait(pollMs);
    if (part?.eof) {
      await stream.send(frameOf('ended', endOf(part.run), `${at}-ended`));
      return;
    }
  }
}

function endOf({ status, finishedAt, exitCode, errorCode, error, logBytes: size }: RunRow) {
  const outcome = status as z.infer<(typeof runLogEvents)['ended']>['status'];
  return { status: outcome, finishedAt, exitCode, errorCode, error, size };
}
