import { createSignal } from '@switchyard/async';
import { invalidField, notFound } from '@switchyard/server';
import type { runLogEvents, StreamRunLogQuery } from '@switchyard/types';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { RequestCall } from '../../../route';
import { type RunRow, readRun } from '../../../state/runs/runs';
import { eventStreams } from '../../events/event-streams';
import { EVENT_STREAM_HEADERS, openEventWriter, RETRY_MS } from '../../events/event-writer';
import { holderOf, recheck } from '../../events/stream-events';
import { characterAt } from './read-run-log';
import { runLogs } from './run-logs';

type StreamCall = RequestCall<string> & { request: Request; response: Response };

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
  const { request, response, companyId, context } = call;
  const { heartbeatMs, recheckMs, stallMs } = eventStreams(context).limits;
  const lastEventId = request.get('last-event-id') ?? '';
  const isOver = OVER.test(lastEventId);
  const at = isOver ? 0 : await startOf(call, runId, lastEventId, query);
  if (isOver) return void response.writeHead(204).end();
  const news = createSignal();
  const writer = openEventWriter(response, stallMs, news.notify);
  const held = eventStreams(context).hold(
    { companyId, caller: holderOf(call.actor) },
    { end: writer.end },
  );
  const leave = runLogs(context).follow(runId, news.notify);
  const heartbeat = setInterval(writer.beat, heartbeatMs);
  const checks = setInterval(() => recheck(call, writer.end), recheckMs);
  try {
    response.writeHead(200, EVENT_STREAM_HEADERS);
    if (request.method === 'HEAD') return;
    await writer.send(`retry: ${RETRY_MS}\nid: ${at}\n\n`);
    await follow(call, runId, at, writer, news);
  } finally {
    clearInterval(heartbeat);
    clearInterval(checks);
    writer.close();
    leave();
    held.leave();
  }
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
  writer: ReturnType<typeof openEventWriter>,
  news: ReturnType<typeof createSignal>,
): Promise<void> {
  const { pollMs } = eventStreams(context).limits;
  let at = start;
  while (writer.isOpen()) {
    const part = await runLogs(context)
      .read(runId, at)
      .catch(() => undefined);
    if (part === null) return;
    if (part && part.nextOffset > at) {
      const { offset, nextOffset, content } = part;
      await writer.send(frameOf('log', { offset, nextOffset, content }, String(nextOffset)));
      at = nextOffset;
    } else if (!part?.eof) await news.wait(pollMs);
    if (part?.eof) {
      await writer.send(frameOf('ended', endOf(part.run), `${at}-ended`));
      return;
    }
  }
}

function endOf({ status, finishedAt, exitCode, errorCode, error, logBytes: size }: RunRow) {
  const outcome = status as z.infer<Events['ended']>['status'];
  return { status: outcome, finishedAt, exitCode, errorCode, error, size };
}

type Events = typeof runLogEvents;

const frameOf = <Name extends keyof Events>(name: Name, data: z.infer<Events[Name]>, id: string) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
