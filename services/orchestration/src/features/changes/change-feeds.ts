import { type Context, partOf } from '../../kernel/context';
import { type CompanyFeed, openCompanyFeed } from '../events/company-feed';
import { formatPosition } from '../events/position';
import { presentPosition } from '../events/read-events';
import { type SharedFeeds, shareFeeds } from '../events/shared-feeds';
import { followLiveRuns, type LiveRuns } from './live-runs';
import { type ChangeEvent, readChanges } from './read-changes';

export interface ChangeFeed extends CompanyFeed<ChangeEvent> {
  live: LiveRuns;
}

export const changeFeeds = partOf(openChangeFeeds);

interface ChangeFeeds extends Pick<SharedFeeds<ChangeFeed>, 'follow'> {
  /**
   * Position up to which changes have been read and are visible to a new statement; null without
   * followers.
   */
  positionOf(companyId: string): string | null;
}

function openChangeFeeds({ db, nudges, logger, config, onClose }: Context): ChangeFeeds {
  const { pollMs } = config.eventStreams;
  const open = (companyId: string, onNews: () => void): ChangeFeed => {
    const live = followLiveRuns(db, companyId, onNews);
    const feed = openCompanyFeed<ChangeEvent>({
      logger,
      pollMs,
      begin: () => presentPosition(db, companyId),
      read: async (after) => {
        const page = await readChanges(db, companyId, after);
        live.supersede(
          page.events.flatMap(({ rows }) => rows),
          page.readTo,
        );
        return page;
      },
      afterLook: live.look,
      onEvents: onNews,
    });
    return { ...feed, live };
  };
  const feeds = shareFeeds(nudges, open);
  onClose(feeds.close);
  return {
    follow: feeds.follow,
    positionOf: (companyId) => {
      const readTo = feeds.find(companyId)?.readTo();
      return readTo ? formatPosition(readTo) : null;
    },
  };
}
