import { createSignal } from '@switchyard/async';
import { errorFields, type Logger } from '@switchyard/server';
import { isBefore, type Position } from './position';

const REMEMBERED = 256;
const HELD_MS = 25;

export interface CompanyFeed<Event> {
  after(at: Position): Event[] | null;
  isAheadOf(at: Position): boolean;
  readTo(): Position | null;
  nudge(): void;
  close(): Promise<void>;
}

export interface FeedPage<Event> {
  events: Event[];
  readTo: Position;
  isFull: boolean;
  /** True if an open transaction may still add rows before committed ones. */
  isHeld: boolean;
}

export function openCompanyFeed<Event extends { position: Position }>(options: {
  logger: Logger;
  pollMs: number;
  /** Returns a position that no later commit precedes. */
  begin(): Promise<Position>;
  read(after: Position): Promise<FeedPage<Event>>;
  afterLook?(readTo: Position): Promise<number>;
  onEvents(): void;
}): CompanyFeed<Event> {
  const { logger, pollMs, begin, read, afterLook, onEvents } = options;
  const news = createSignal();
  let closed = false;
  const events: Event[] = [];
  let start: Position | null = null;
  let readTo: Position | null = null;

  const remember = (found: Event[]) => {
    events.push(...found);
    const forgotten = events.splice(0, Math.max(0, events.length - REMEMBERED)).at(-1);
    if (forgotten) start = forgotten.position;
    if (found.length > 0) onEvents();
  };

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
        logger.debug('events could not be read; the next poll retries', errorFields(error));
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
