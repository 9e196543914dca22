import { createSignal } from '@switchyard/async';
import type { Database } from '@switchyard/db';
import type { Nudges } from '@switchyard/queue';
import { ApiError, type Logger, unavailable } from '@switchyard/server';
import { mayTake } from '../../fair-share';
import { type CompanyFeed, openCompanyFeed } from './company-feed';

export interface EventStreamLimits {
  max: number;
  maxPerCompany: number;
  maxPerCaller: number;
  heartbeatMs: number;
  recheckMs: number;
  pollMs: number;
  stallMs: number;
}

/** How a stream is reached from outside: by events of its company, and by the end of the process. */
export interface OpenStream {
  onEvents(): void;
  end(): void;
}

export interface EventStreams {
  readonly limits: EventStreamLimits;
  count(): number;
  /**
   * `caller` is who holds the stream; null counts for its company alone.
   * @throws ApiError 429 when the company or the caller has its fill of streams, 503 when the process has
   * it, or the company its share of what is free, or the process is stopping
   */
  join(
    place: { companyId: string; caller: string | null },
    stream: OpenStream,
  ): { feed: CompanyFeed; leave(): void };
  /** Admits no further stream, ends all of them and waits until they have ended. */
  close(): Promise<void>;
}

interface Company {
  feed: CompanyFeed;
  streams: Set<OpenStream>;
  unsubscribe(): void;
}

const RETRY_SEC = '5';

function tooMany(limit: 'company' | 'caller', max: number): ApiError {
  const details = { limit, max };
  const headers = { 'Retry-After': RETRY_SEC };
  return new ApiError(
    'rate_limited',
    `${max} event streams of this ${limit} are open`,
    details,
    headers,
  );
}

function noRoom(limit: 'process' | 'share', max: number): ApiError {
  const message =
    limit === 'share'
      ? 'the company has its share of the event streams that are left'
      : `${max} event streams are open already`;
  return new ApiError('unavailable', message, { limit, max }, { 'Retry-After': '1' });
}

/** The event streams of one process, with one feed for each company that has any. */
export function openEventStreams(
  options: EventStreamLimits & { db: Database; nudges: Nudges; logger: Logger },
): EventStreams {
  const { db, nudges, logger, ...limits } = options;
  const companies = new Map<string, Company>();
  const callers = new Map<string, number>();
  const closing = new Set<Promise<void>>();
  const left = createSignal();
  let closed = false;
  let count = 0;

  const open = (companyId: string): Company => {
    const streams = new Set<OpenStream>();
    const onEvents = () => {
      for (const stream of streams) stream.onEvents();
    };
    const feed = openCompanyFeed({ db, logger, companyId, pollMs: limits.pollMs, onEvents });
    const company = { feed, streams, unsubscribe: nudges.subscribe(companyId, feed.nudge) };
    companies.set(companyId, company);
    return company;
  };

  const closeFeed = (companyId: string, company: Company) => {
    companies.delete(companyId);
    company.unsubscribe();
    const ended = company.feed.close().finally(() => closing.delete(ended));
    closing.add(ended);
  };

  const assertRoom = (companyId: string, caller: string | null) => {
    const { max, maxPerCompany, maxPerCaller } = limits;
    const held = companies.get(companyId)?.streams.size ?? 0;
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

  return {
    limits,
    count: () => count,

    join: ({ companyId, caller }, stream) => {
      if (closed) throw unavailable('the process is stopping; another one serves events');
      assertRoom(companyId, caller);
      const company = companies.get(companyId) ?? open(companyId);
      company.streams.add(stream);
      countCaller(caller, 1);
      count++;
      return {
        feed: company.feed,
        leave: () => {
          if (!company.streams.delete(stream)) return;
          countCaller(caller, -1);
          count--;
          if (company.streams.size === 0) closeFeed(companyId, company);
          left.notify();
        },
      };
    },

    close: async () => {
      closed = true;
      const open = [...companies.values()].flatMap((company) => [...company.streams]);
      for (const stream of open) stream.end();
      while (count > 0) await left.wait(1_000);
      await Promise.all(closing);
    },
  };
}
