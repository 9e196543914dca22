import type { GetIssueQuery, IssueDetailView } from '@switchyard/types';
import { isOver } from '../../state/statuses/issue-status';
import { followEvents, type StreamCall } from '../events/serve-stream';
import { getIssue } from './get-issue';

/**
 * With `wait`, returns when the issue has ended or changed, or after that many seconds. Waiting
 * requests share the company's event feed.
 * @throws ApiError 404; 429 and 503 with `Retry-After` at a limit of event streams
 */
export async function awaitIssue(
  call: StreamCall,
  issueId: string,
  { wait, until }: GetIssueQuery,
): Promise<IssueDetailView> {
  const found = await getIssue(call, issueId);
  if (wait === 0 || (until === 'ended' && isOver(found.status))) return found;
  const latest = await follow(call, found, wait * 1000, until);
  await call.readmit();
  return latest;
}

async function follow(
  call: StreamCall,
  found: IssueDetailView,
  waitMs: number,
  until: GetIssueQuery['until'],
): Promise<IssueDetailView> {
  const { id, updatedAt } = found;
  const deadline = performance.now() + waitMs;
  return followEvents(call, async ({ feed, news, isOver: isCut }) => {
    let at = feed.readTo();
    let latest = await getIssue(call, id);
    let isChanged = latest.updatedAt !== updatedAt;
    while (!isCut() && !(until === 'ended' ? isOver(latest.status) : isChanged)) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) break;
      await news.wait(leftMs);
      const events = at && feed.after(at);
      at = feed.readTo();
      const concerns = events?.some(({ activity }) => activity.entityId === id);
      if (concerns === false) continue;
      latest = await getIssue(call, id);
      isChanged ||= concerns === true || latest.updatedAt !== updatedAt;
    }
    return latest;
  });
}
