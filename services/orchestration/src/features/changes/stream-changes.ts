import { createSignal } from '@switchyard/async';
import { ApiError, invalidField } from '@switchyard/server';
import type { RESET_REASONS, StreamChangesQuery } from '@switchyard/types';
import type { Request, Response } from 'express';
import type { RequestCall } from '../../route';
import type { FeedPage } from '../events/company-feed';
import { eventStreams } from '../events/event-streams';
import { EVENT_STREAM_HEADERS, openEventWriter, RETRY_MS } from '../events/event-writer';
import { formatPosition, later, type Position, parsePosition } from '../events/position';
import { presentPosition, resumePosition } from '../events/read-events';
import { holderOf, maySend, recheck } from '../events/stream-events';
import type { ChangeFeed } from './change-feeds';
import { changeFeeds } from './change-feeds';
import { frameOf } from './frames';
import { type ChangeEvent, readChanges } from './read-changes';

type StreamCall = RequestCall<string> & { request: Request; response: Response };

/**
 * `GET …/changes` (docs/contract.md, "Changes"). Starts now, or after the client's last event;
 * `reset` reports missing changes. A slow client gets the latest state per row.
 * @throws ApiError 400 for an invalid event id, 429 and 503 with `Retry-After` at a limit
 */
export async function streamChanges(call: StreamCall, { after }: StreamChangesQuery) {
  const { response, companyId } = call;
  const events = eventStreams(call.context);
  const { heartbeatMs, recheckMs, stallMs } = events.limits;
  const start = await startOf(call, after);
  const news = createSignal();
  const writer = openEventWriter(response, stallMs, news.notify);
  const held = events.hold({ companyId, caller: holderOf(call.actor) }, { end: writer.end });
  const { feed, leave } = changeFeeds(call.context).follow(companyId, news.notify);
  const heartbeat = setInterval(writer.beat, heartbeatMs);
  const checks = setInterval(() => recheck(call, writer.end), recheckMs);
  try {
    response.writeHead(200, EVENT_STREAM_HEADERS);
    if (call.request.method === 'HEAD') return;
    // Sends the id and `reset` in one block: a client that received only the id would miss changes
    // after it reconnects.
    const { at, reset } = start;
    const first = reset ? resetFrame(at, reset) : `id: ${formatPosition(at)}\n\n`;
    await writer.send(`retry: ${RETRY_MS}\n${first}`);
    await follow(call, feed, at, writer, news);
  } finally {
    clearInterval(heartbeat);
    clearInterval(checks);
    writer.close();
    leave();
    held.leave();
  }
}

interface Start {
  at: Position;
  reset: ResetReason | null;
}

type ResetReason = (typeof RESET_REASONS)[number];

async function startOf(call: StreamCall, after: string | undefined): Promise<Start> {
  const { db, companyId } = call;
  const header = call.request.get('last-event-id');
  const last = header || after;
  if (!last) return { at: await presentPosition(db, companyId), reset: null };
  if (!parsePosition(last)) {
    throw invalidField(
      header ? 'Last-Event-ID' : 'after',
      'must be the id of an event of this stream',
    );
  }
  try {
    return { at: await resumePosition(db, companyId, last), reset: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'validation_error') throw error;
    return { at: await presentPosition(db, companyId), reset: 'unknown_position' };
  }
}

const MOST_BEHIND = 1_000;

async function follow(
  call: StreamCall,
  feed: ChangeFeed,
  start: Position,
  writer: ReturnType<typeof openEventWriter>,
  news: ReturnType<typeof createSignal>,
): Promise<void> {
  const { heartbeatMs, pollMs } = eventStreams(call.context).limits;
  let at = start;
  let liveAt = 0;
  let isLive = false;
  let behind = 0;
  while (writer.isOpen()) {
    const next = await nextChanges(call, feed, at);
    if (next === null) {
      await news.wait(pollMs);
      continue;
    }
    if (!(await maySend(call, next.events))) return;
    for (const event of next.events) {
      if (!(await writer.send(event.frame))) return;
      at = event.position;
    }
    at = later(at, next.readTo);
    behind = next.isOld ? behind + next.events.length : 0;
    if (behind > MOST_BEHIND || feed.live.hasForgotten(liveAt)) {
      at = feed.readTo() ?? (await presentPosition(call.db, call.companyId));
      [behind, liveAt, isLive] = [0, 0, false];
      await writer.send(resetFrame(at, 'too_far_behind'));
      continue;
    }
    if (next.events.length > 0 || feed.isAheadOf(at)) continue;
    const moved = feed.live.after(liveAt);
    for (const frame of moved?.frames ?? []) {
      if (!(await writer.send(frame))) return;
    }
    if (moved && !isLive) {
      const version = formatPosition(at);
      await writer.send(frameOf('live', { version }, version));
      isLive = true;
    }
    if (moved) liveAt = moved.at;
    if (!moved?.frames.length) await news.wait(heartbeatMs);
  }
}

function resetFrame(at: Position, reason: ResetReason): string {
  const version = formatPosition(at);
  return frameOf('reset', { version, reason }, version);
}

async function nextChanges(
  call: StreamCall,
  feed: ChangeFeed,
  at: Position,
): Promise<(Pick<FeedPage<ChangeEvent>, 'events' | 'readTo'> & { isOld: boolean }) | null> {
  const remembered = feed.after(at);
  if (remembered) return { events: remembered, readTo: at, isOld: false };
  const page = await readChanges(call.db, call.companyId, at).catch(() => null);
  return page && { ...page, isOld: true };
}
