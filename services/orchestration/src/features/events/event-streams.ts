import { createSignal } from '@switchyard/async';
import { ApiError, unavailable } from '@switchyard/server';
import { type Context, partOf } from '../../kernel/context';
import { mayTake } from '../../kernel/fair-share';
import { type CompanyFeed, openCompanyFeed } from './company-feed';
import { presentPosition, readEvents, type StreamEvent } from './read-events';
import { type SharedFeeds, shareFeeds } from './shared-feeds';

export const eventStreams = partOf(openEventStreams);

interface EventStreams {
  readonly limits: Context['config']['eventStreams'];
  count(): number;
  /**
   * Reserves a stream; with `caller` null it only counts for the company.
   * @throws ApiError 429 at the limit of the company or caller; 503 at the limit of the process, at
   * the company's share of it, or during a stop
   */
  hold(place: StreamPlace, stream: { end(): void }): { leave(): void };
  follow: SharedFeeds<CompanyFeed<StreamEvent>>['follow'];
  close(): Promise<void>;
}

interface StreamPlace {
  companyId: string;
  caller: string | null;
}

const RETRY_SEC = '5';

function tooMany(limit: 'company' | 'caller', max: number): ApiError {
  const details = { limit, max };
  const headers = { 'Retry-After': RETRY_SEC };
  return new ApiError(
    'rate_limited',
    `this ${limit} may open at most ${max} event streams: close one first`,
    details,
    headers,
  );
}

function noRoom(limit: 'process' | 'share', max: number): ApiError {
  const message =
    limit === 'share'
      ? 'the company already uses its share of the remaining event streams; try again later'
      : `the process already serves ${max} event streams, its limit; try again later`;
  return new ApiError('unavailable', message, { limit, max }, { 'Retry-After': '1' });
}

function openEventStreams({ db, nudges, logger, metrics, config, onClose }: Context): EventStreams {
  const limits = config.eventStreams;
  const companies = new Map<string, Set<{ end(): void }>>();
  const callers = new Map<string, number>();
  const left = createSignal();
  let closed = false;
  let count = 0;

  const feeds = shareFeeds(nudges, (companyId, onEvents) =>
    openCompanyFeed({
      logger,
      pollMs: limits.pollMs,
      begin: () => presentPosition(db, companyId),
      read: (after) => readEvents(db, companyId, after),
      onEvents,
    }),
  );

  const assertRoom = (companyId: string, caller: string | null) => {
    const { max, maxPerCompany, maxPerCaller } = limits;
    const held = companies.get(companyId)?.size ?? 0;
    if (caller !== null && (callers.get(caller) ?? 0) >= maxPerCaller) {
      throw tooMany('caller', maxPerCaller);
    }
    if (held >= maxPerCompany) throw tooMany('company', maxPerCompany);
    if (count >= max) throw noRoom('process', max);
    if (!mayTake(held, max - count, max)) throw noRoom('share', max);
  };

  const countCaller = (caller: string | null, by: 1 | -1) => {
    if (caller === null) return;
    const held = (callers.get(caller) ?? 0) + by;
    if (held > 0) callers.set(caller, held);
    else callers.delete(caller);
  };

  const hold: EventStreams['hold'] = ({ companyId, caller }, stream) => {
    if (closed)
      throw unavailable('the process is stopping; connect again to reach another process');
    assertRoom(companyId, caller);
    const streams = companies.get(companyId) ?? new Set();
    companies.set(companyId, streams.add(stream));
    countCaller(caller, 1);
    metrics.eventStreams.set(++count);
    return {
      leave: () => {
        if (!streams.delete(stream)) return;
        countCaller(caller, -1);
        metrics.eventStreams.set(--count);
        if (streams.size === 0) companies.delete(companyId);
        left.notify();
      },
    };
  };

  const close = async () => {
    closed = true;
    for (const streams of [...companies.values()]) {
      for (const stream of [...streams]) stream.end();
    }
    while (count > 0) await left.wait(1_000);
    await feeds.close();
  };
  onClose(close);

  return {
    limits,
    count: () => count,
    hold,
    follow: feeds.follow,
    close,
  };
}
