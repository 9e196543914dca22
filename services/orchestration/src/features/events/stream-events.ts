import { eventStreams } from './event-streams';
import { formatPosition, type Position } from './position';
import { presentPosition, readEvents, resumePosition } from './read-events';
import { type StreamCall, sendNext, serveStream } from './serve-stream';

/**
 * `GET …/events` (docs/contract.md, "Activity and events"). Sends each event once, in the same
 * order on every replica. A slow client reads from the table; a client that does not read is
 * disconnected.
 * @throws ApiError 400 for an unknown `Last-Event-ID`, 429 and 503 with `Retry-After` at a limit
 */
export async function streamEvents(call: StreamCall): Promise<void> {
  const { db, companyId, context } = call;
  const events = eventStreams(context);
  let at = await startOf(call);
  await serveStream(call, `id: ${formatPosition(at)}\n\n`, async (stream) => {
    const { feed, leave } = events.follow(companyId, stream.news.notify);
    try {
      while (stream.isOpen()) {
        const next = await sendNext(call, stream, feed, at, (after) =>
          readEvents(db, companyId, after),
        );
        if (!next) continue;
        at = next.at;
        if (next.sent > 0 || feed.isAheadOf(at)) continue;
        await stream.news.wait(events.limits.heartbeatMs);
      }
    } finally {
      leave();
    }
  });
}

async function startOf(call: StreamCall): Promise<Position> {
  const lastEventId = call.request.get('last-event-id');
  if (!lastEventId) return presentPosition(call.db, call.companyId);
  return resumePosition(call.db, call.companyId, lastEventId);
}
