import type { Nudges } from '@switchyard/queue';

interface Feed {
  nudge(): void;
  close(): Promise<void>;
}

export interface SharedFeeds<F extends Feed> {
  follow(companyId: string, onNews: () => void): { feed: F; leave(): void };
  find(companyId: string): F | null;
  close(): Promise<void>;
}

interface Shared<F> {
  feed: F;
  followers: Set<() => void>;
  unsubscribe(): void;
}

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
