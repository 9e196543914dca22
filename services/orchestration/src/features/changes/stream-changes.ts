import { ApiError, invalidField } from '@switchyard/server';
import type { RESET_REASONS, StreamChangesQuery } from '@switchyard/types';
import { eventStreams } from '../events/event-streams';
import { frameOf } from '../events/event-writer';
import { formatPosition, type Position, parsePosition } from '../events/position';
import { presentPosition, resumePosition } from '../events/read-events';
import { type Stream, type StreamCall, sendNext, serveStream } from '../events/serve-stream';
import type { ChangeFeed } from './change-feeds';
import { changeFeeds } from './change-feeds';
import { readChanges } from './read-changes';

/**
 * `GET …/changes` (docs/contract.md, "Changes"). Starts now, or after the client's last event;
 * `reset` reports missing changes. A slow client gets the latest state per row.
 * @throws ApiError 400 for an invalid event id, 429 and 503 with `Retry-After` at a limit
 */
export async function streamChanges(call: StreamCall, { after }: StreamChangesQuery) {
  const { at, reset } = await startOf(call, after);
  // Sends the id and `reset` in one block: a client that received only the id would miss changes
  // after it reconnects.
  const first = reset ? resetFrame(at, reset) : `id: ${formatPosition(at)}\n\n`;
  await serveStream(call, first, async (stream) => {
    const { feed, leave } = changeFeeds(call.context).follow(call.companyId, stream.news.notify);
    try {
      await follow(call, feed, at, stream);
    } finally {
      leave();
    }
  });
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
  stream: Stream,
): Promise<void> {
  const { db, companyId, context } = call;
  const { heartbeatMs } = eventStreams(context).limits;
  let at = start;
  let liveAt = 0;
  let isLive = false;
  let behind = 0;
  while (stream.isOpen()) {
    const next = await sendNext(call, stream, feed, at, (after) =>
      readChanges(db, companyId, after),
    );
    if (!next) continue;
    at = next.at;
    behind = next.isOld ? behind + next.sent : 0;
    if (behind > MOST_BEHIND || feed.live.hasForgotten(liveAt)) {
      at = feed.readTo() ?? (await presentPosition(db, companyId));
      [behind, liveAt, isLive] = [0, 0, false];
      await stream.send(resetFrame(at, 'too_far_behind'));
      continue;
    }
    if (next.sent > 0 || feed.isAheadOf(at)) continue;
    const moved = feed.live.after(liveAt);
    for (const frame of moved?.frames ?? []) {
      if (!(await stream.send(frame))) return;
    }
    if (moved && !isLive) {
      const version = formatPosition(at);
      await stream.send(frameOf('live', { version }, version));
      isLive = true;
    }
    if (moved) liveAt = moved.at;
    if (!moved?.frames.length) await stream.news.wait(heartbeatMs);
  }
}

function resetFrame(at: Position, reason: ResetReason): string {
  const version = formatPosition(at);
  return frameOf('reset', { version, reason }, version);
}
