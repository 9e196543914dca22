import { createSignal, type Signal } from '@switchyard/async';
import { ApiError } from '@switchyard/server';
import type { Request, Response } from 'express';
import type { Actor } from '../../kernel/actor';
import type { RequestCall } from '../../route';
import type { CompanyFeed, FeedPage } from './company-feed';
import { eventStreams } from './event-streams';
import { EVENT_STREAM_HEADERS, type EventWriter, openEventWriter, RETRY_MS } from './event-writer';
import { later, type Position } from './position';
import type { StreamEvent } from './read-events';

export type StreamCall = RequestCall<string> & { request: Request; response: Response };

export type Stream = Pick<EventWriter, 'isOpen' | 'send' | 'end'> & { news: Signal };

/**
 * Sends `first`, then what `follow` sends until it returns. Ends when the client leaves or does not
 * read, when the caller loses access, and when the process stops.
 * @throws ApiError 429 and 503 with `Retry-After` at a limit
 */
export async function serveStream(
  call: StreamCall,
  first: string,
  follow: (stream: Stream) => Promise<void>,
): Promise<void> {
  const { request, response, companyId, context } = call;
  const streams = eventStreams(context);
  const { heartbeatMs, recheckMs, stallMs } = streams.limits;
  const news = createSignal();
  const writer = openEventWriter(response, stallMs, news.notify);
  const held = streams.hold({ companyId, caller: holderOf(call.actor) }, writer);
  const heartbeat = setInterval(writer.beat, heartbeatMs);
  const checks = setInterval(() => recheck(call, writer.end), recheckMs);
  try {
    response.writeHead(200, EVENT_STREAM_HEADERS);
    if (request.method === 'HEAD') return;
    await writer.send(`retry: ${RETRY_MS}\n${first}`);
    await follow({ ...writer, news });
  } finally {
    clearInterval(heartbeat);
    clearInterval(checks);
    writer.close();
    held.leave();
  }
}

/**
 * Follows the company's events until `wait` returns. `isOver` becomes true when the client leaves
 * and when the process stops.
 * @throws ApiError 429 and 503 with `Retry-After` at a limit of event streams
 */
export async function followEvents<T>(
  { actor, companyId, context, response }: StreamCall,
  wait: (events: { feed: CompanyFeed<StreamEvent>; news: Signal; isOver(): boolean }) => Promise<T>,
): Promise<T> {
  const news = createSignal();
  let isOver = false;
  const end = () => {
    isOver = true;
    news.notify();
  };
  const streams = eventStreams(context);
  const held = streams.hold({ companyId, caller: holderOf(actor) }, { end });
  const { feed, leave } = streams.follow(companyId, news.notify);
  response.once('close', end);
  try {
    return await wait({ feed, news, isOver: () => isOver });
  } finally {
    response.off('close', end);
    leave();
    held.leave();
  }
}

type FeedEvent = Pick<StreamEvent, 'position' | 'activity' | 'frame'>;

/**
 * Sends the events after `at`. `isOld` is true if the feed no longer remembers them. Returns null
 * after a failed read, and when the stream has ended.
 */
export async function sendNext<Event extends FeedEvent>(
  call: StreamCall,
  stream: Stream,
  feed: CompanyFeed<Event>,
  at: Position,
  read: (after: Position) => Promise<FeedPage<Event>>,
): Promise<{ at: Position; sent: number; isOld: boolean } | null> {
  const remembered = feed.after(at);
  const page = remembered ? { events: remembered, readTo: at } : await read(at).catch(() => null);
  if (!page) {
    await stream.news.wait(eventStreams(call.context).limits.pollMs);
    return null;
  }
  const { events, readTo } = page;
  if (!(await maySend(call, events))) stream.end();
  for (const { frame } of events) {
    if (!(await stream.send(frame))) return null;
  }
  return {
    at: later(events.at(-1)?.position ?? at, readTo),
    sent: events.length,
    isOld: !remembered,
  };
}

function holderOf(actor: Actor): string | null {
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  return actor.type === 'board' && actor.roles !== 'all' ? `user:${actor.userId}` : null;
}

/**
 * Ends the stream if its request would no longer be admitted; ignores failures of the database or
 * Redis.
 */
function recheck(call: StreamCall, end: () => void): void {
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
async function maySend(call: StreamCall, events: readonly FeedEvent[]): Promise<boolean> {
  if (!events.some(({ activity }) => ENDS_RIGHTS.has(activity.action))) return true;
  return call.readmit().then(
    () => true,
    () => false,
  );
}
