import { createSignal } from '@switchyard/async';
import { errorFields, type Logger } from '@switchyard/server';
import { isBefore, type Position } from './position';

/** Events that a feed remembers, for streams that are not far behind. */
const REMEMBERED = 256;
/** First wait for a transaction that holds events up; doubled until it is as long as a poll. */
const HELD_MS = 25;

export interface CompanyFeed<Event> {
  /** What follows `at`, when the feed still remembers all of it; else null: the table knows. */
  after(at: Position): Event[] | null;
  /** True when only the table can take a stream from `at` to where the feed is. */
  isAheadOf(at: Position): boolean;
  /** Up to where it has read; null before its first look. */
  readTo(): Position | null;
  /** Looks at the table now. */
  nudge(): void;
  close(): Promise<void>;
}

export interface FeedPage<Event> {
  events: Event[];
  /** Everything up to this has been read; what commits later comes behind it. */
  readTo: Position;
  isFull: boolean;
  /** True when rows are committed that an older transaction may still precede. */
  isHeld: boolean;
}

/**
 * Reads the activity of one company once for all of its streams in this process: at every nudge, and
 * each `pollMs` without one. An error of the database is a nudge that got lost.
 */
export function openCompanyFeed<Event extends { position: Position }>(options: {
  logger: Logger;
  pollMs: number;
  /** Where it begins: no commit from now on comes before it. */
  begin(): Promise<Position>;
  read(after: Position): Promise<FeedPage<Event>>;
  /** Called after each look; returns how long the next one may wait at most. */
  afterLook?(readTo: Position): Promise<number>;
  /** Called whenever `after` may answer more than it did. */
  onEvents(): void;
}): CompanyFeed<Event> {
  const { logger, pollMs, begin, read, afterLook, onEvents } = options;
  const news = createSignal();
  let closed = false;
  const events: Event[] = [];
  /** Where the remembered events begin, and up to where the feed has read. */
  let start: Position | null = null;
  let readTo: Position | null = null;

  const remember = (found: Event[]) => {
    events.push(...found);
    const forgotten = events.splice(0, Math.max(0, events.length - REMEMBERED)).at(-1);
    if (forgotten) start = forgotten.position;
    if (found.length > 0) onEvents();
  };

  /** Answers how long to wait before the next look. */
  const look = async (heldMs: number): Promise<number> => {
    if (readTo === null) {
      start = await begin();
      readTo = start;
      onEvents();
    }
    const page = await read(readTo);
    readTo = page.readTo;
    remember(page.events);
    if (page.isFull) return 0;
    const idleMs = afterLook ? Math.min(pollMs, await afterLook(readTo)) : pollMs;
    return page.isHeld ? Math.min(heldMs, idleMs) : idleMs;
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
    readTo: () => readTo,
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
