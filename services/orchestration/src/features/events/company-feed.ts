import { createSignal } from '@switchyard/async';
import type { Database } from '@switchyard/db';
import { errorFields, type Logger } from '@switchyard/server';
import { isBefore, type Position } from './position';
import { presentPosition, readEvents, type StreamEvent } from './read-events';

/** Events that a feed remembers, for streams that are not far behind. */
const REMEMBERED = 256;
/** First wait for a transaction that holds events up; doubled until it is as long as a poll. */
const HELD_MS = 25;

export interface CompanyFeed {
  /** What follows `at`, when the feed still remembers all of it; else null: the table knows. */
  after(at: Position): StreamEvent[] | null;
  /** True when only the table can take a stream from `at` to where the feed is. */
  isAheadOf(at: Position): boolean;
  /** Looks at the table now. */
  nudge(): void;
  close(): Promise<void>;
}

/**
 * Reads the activity of one company once for all of its streams in this process: at every nudge, and
 * each `pollMs` without one. An error of the database is a nudge that got lost.
 */
export function openCompanyFeed(options: {
  db: Database;
  logger: Logger;
  companyId: string;
  pollMs: number;
  /** Called whenever `after` may answer more than it did. */
  onEvents(): void;
}): CompanyFeed {
  const { db, logger, companyId, pollMs, onEvents } = options;
  const news = createSignal();
  let closed = false;
  const events: StreamEvent[] = [];
  /** Where the remembered events begin, and up to where the feed has read. */
  let start: Position | null = null;
  let readTo: Position | null = null;

  const remember = (found: StreamEvent[]) => {
    events.push(...found);
    const forgotten = events.splice(0, Math.max(0, events.length - REMEMBERED)).at(-1);
    if (forgotten) start = forgotten.position;
    if (found.length > 0) onEvents();
  };

  /** Answers how long to wait before the next look. */
  const look = async (heldMs: number): Promise<number> => {
    if (readTo === null) {
      start = await presentPosition(db, companyId);
      readTo = start;
      onEvents();
    }
    const page = await readEvents(db, companyId, readTo);
    readTo = page.readTo;
    remember(page.events);
    if (page.isFull) return 0;
    return page.isHeld ? Math.min(heldMs, pollMs) : pollMs;
  };

  const follow = async () => {
    let heldMs = HELD_MS;
    while (!closed) {
      const waitMs = await look(heldMs).catch((error: unknown) => {
        logger.debug('events could not be read; the next poll repeats it', errorFields(error));
        return pollMs;
      });
      const nudged = waitMs === 0 || (await news.wait(waitMs));
      heldMs = nudged ? HELD_MS : heldMs * 2;
    }
  };
  const following = follow();

  const isAheadOf = (at: Position) => start !== null && isBefore(at, start);

  return {
    isAheadOf,
    after: (at) => {
      if (start === null || isAheadOf(at)) return null;
      return events.filter((event) => isBefore(at, event.position));
    },
    nudge: news.notify,
    close: async () => {
      closed = true;
      news.notify();
      await following;
    },
  };
}
