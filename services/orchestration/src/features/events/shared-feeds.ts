import type { Nudges } from '@switchyard/queue';

interface Feed {
  nudge(): void;
  close(): Promise<void>;
}

export interface SharedFeeds<F extends Feed> {
  /** The feed of a company, opened for the first who follows it; `onNews` is called until `leave`. */
  follow(companyId: string, onNews: () => void): { feed: F; leave(): void };
  /** The one that is open; null while nobody follows the company. */
  find(companyId: string): F | null;
  /** Waits until the feeds that were left are closed. */
  close(): Promise<void>;
}

interface Shared<F> {
  feed: F;
  followers: Set<() => void>;
  unsubscribe(): void;
}

/** One feed for each company that anybody in this process follows. */
export function shareFeeds<F extends Feed>(
  nudges: Nudges,
  open: (companyId: string, onNews: () => void) => F,
): SharedFeeds<F> {
  const companies = new Map<string, Shared<F>>();
  const closing = new Set<Promise<void>>();

  const openShared = (companyId: string): Shared<F> => {
    const followers = new Set<() => void>();
    const feed = open(companyId, () => {
      for (const onNews of followers) onNews();
    });
    const shared = { feed, followers, unsubscribe: nudges.subscribe(companyId, feed.nudge) };
    companies.set(companyId, shared);
    return shared;
  };

  const closeShared = (companyId: string, { unsubscribe, feed }: Shared<F>) => {
    companies.delete(companyId);
    unsubscribe();
    const ended = feed.close().finally(() => closing.delete(ended));
    closing.add(ended);
  };

  return {
    find: (companyId) => companies.get(companyId)?.feed ?? null,
    follow: (companyId, onNews) => {
      const shared = companies.get(companyId) ?? openShared(companyId);
      // Each follower has a place of its own, also where two bring the same function.
      const follower = () => onNews();
      shared.followers.add(follower);
      return {
        feed: shared.feed,
        leave: () => {
          if (!shared.followers.delete(follower) || shared.followers.size > 0) return;
          closeShared(companyId, shared);
        },
      };
    },
    close: async () => void (await Promise.all(closing)),
  };
}
