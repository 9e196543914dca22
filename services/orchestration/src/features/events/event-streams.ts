import type { Database } from '@switchyard/db';
import type { Nudges } from '@switchyard/queue';
import { type Logger, unavailable } from '@switchyard/server';
import { createBell } from './bell';
import { type CompanyFeed, openCompanyFeed } from './company-feed';

export interface EventStreamLimits {
  max: number;
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
  /** @throws Refusal 503 when the process has its fill of streams or is stopping */
  join(companyId: string, stream: OpenStream): { feed: CompanyFeed; leave(): void };
  /** Admits no further stream, ends all of them and waits until they have ended. */
  close(): Promise<void>;
}

interface Company {
  feed: CompanyFeed;
  streams: Set<OpenStream>;
  unsubscribe(): void;
}

/** The event streams of one process, with one feed for each company that has any. */
export function openEventStreams(
  options: EventStreamLimits & { db: Database; nudges: Nudges; logger: Logger },
): EventStreams {
  const { db, nudges, logger, ...limits } = options;
  const companies = new Map<string, Company>();
  const closing = new Set<Promise<void>>();
  const left = createBell();
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

  return {
    limits,
    count: () => count,

    join: (companyId, stream) => {
      if (closed) throw unavailable('the process is stopping; another one serves events');
      if (count >= limits.max) throw unavailable(`${limits.max} event streams are open already`);
      const company = companies.get(companyId) ?? open(companyId);
      company.streams.add(stream);
      count++;
      return {
        feed: company.feed,
        leave: () => {
          if (!company.streams.delete(stream)) return;
          count--;
          if (company.streams.size === 0) closeFeed(companyId, company);
          left.ring();
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
