import { createSignal } from '@switchyard/async';
import { ApiError } from '@switchyard/server';
import type { Request, Response } from 'express';
import type { Actor } from '../../kernel/actor';
import type { RequestCall } from '../../route';
import type { CompanyFeed } from './company-feed';
import { eventStreams } from './event-streams';
import { EVENT_STREAM_HEADERS, openEventWriter, RETRY_MS } from './event-writer';
import { formatPosition, later, type Position } from './position';
import {
  type EventPage,
  presentPosition,
  readEvents,
  resumePosition,
  type StreamEvent,
} from './read-events';

type StreamCall = RequestCall<string> & { request: Request; response: Response };

/**
 * `GET …/events` (docs/contract.md, "Activity and events"). Sends each event once, in the same
 * order on every replica. A slow client reads from the table; a client that does not read is
 * disconnected.
 * @throws ApiError 400 for an unknown `Last-Event-ID`, 429 and 503 with `Retry-After` at a limit
 */
export async function streamEvents(call: StreamCall): Promise<void> {
  const { response } = call;
  const events = eventStreams(call.context);
  const { heartbeatMs, recheckMs, pollMs, stallMs } = events.limits;
  let at = await startOf(call);
  const news = createSignal();
  const writer = openEventWriter(response, stallMs, news.notify);
  const place = { companyId: call.companyId, caller: holderOf(call.actor) };
  const { feed, leave } = events.join(place, { onEvents: news.notify, end: writer.end });
  const heartbeat = setInterval(writer.beat, heartbeatMs);
  const checks = setInterval(() => recheck(call, writer.end), recheckMs);
  try {
    response.writeHead(200, EVENT_STREAM_HEADERS);
    if (call.request.method === 'HEAD') return;
    await writer.send(`retry: ${RETRY_MS}\nid: ${formatPosition(at)}\n\n`);
    while (writer.isOpen()) {
      const next = await nextEvents(call, feed, at);
      if (next && !(await maySend(call, next.events))) return;
      for (const event of next?.events ?? []) {
        if (!(await writer.send(event.frame))) return;
        at = event.position;
      }
      if (next) at = later(at, next.readTo);
      if (next === null) await news.wait(pollMs);
      else if (next.events.length === 0 && !feed.isAheadOf(at)) await news.wait(heartbeatMs);
    }
  } finally {
    clearInterval(heartbeat);
    clearInterval(checks);
    writer.close();
    leave();
  }
}

async function startOf(call: StreamCall): Promise<Position> {
  const lastEventId = call.request.get('last-event-id');
  if (!lastEventId) return presentPosition(call.db, call.companyId);
  return resumePosition(call.db, call.companyId, lastEventId);
}

export function holderOf(actor: Actor): string | null {
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  return actor.type === 'board' && actor.roles !== 'all' ? `user:${actor.userId}` : null;
}

/**
 * Ends the stream if its request would no longer be admitted; ignores failures of the database or
 * Redis.
 */
export function recheck(call: Pick<StreamCall, 'readmit'>, end: () => void): void {
  call.readmit().catch((error: unknown) => {
    if (error instanceof ApiError && error.code !== 'unavailable') end();
  });
}

const ENDS_RIGHTS = new Set([
  'agent.terminated',
  'agent_key.deleted',
  'member.removed',
  'person.password_changed',
  'person.password_reset',
  'person.session_ended',
  'person.sessions_ended',
  'person.signed_out',
  'person.tokens_revoked',
  'personal_token.revoked',
]);

/**
 * Checks the caller again if an event may have revoked its access. If this check fails by mistake,
 * the client reconnects and resumes at its last event.
 */
export async function maySend(
  call: Pick<StreamCall, 'readmit'>,
  events: readonly Pick<StreamEvent, 'activity'>[],
): Promise<boolean> {
  if (!events.some(({ activity }) => ENDS_RIGHTS.has(activity.action))) return true;
  return call.readmit().then(
    () => true,
    () => false,
  );
}

async function nextEvents(
  call: StreamCall,
  feed: CompanyFeed<StreamEvent>,
  at: Position,
): Promise<Pick<EventPage, 'events' | 'readTo'> | null> {
  const remembered = feed.after(at);
  if (remembered) return { events: remembered, readTo: at };
  return readEvents(call.db, call.companyId, at).catch(() => null);
}
