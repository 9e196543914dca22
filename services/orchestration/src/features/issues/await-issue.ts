import { createSignal } from '@switchyard/async';
import type { GetIssueQuery, IssueDetailView } from '@switchyard/types';
import type { Request, Response } from 'express';
import type { RequestCall } from '../../route';
import { isOver } from '../../state/statuses/issue-status';
import { eventStreams } from '../events/event-streams';
import { holderOf } from '../events/stream-events';
import { getIssue } from './get-issue';

type WaitingCall = RequestCall<string> & { request: Request; response: Response };

/**
 * With `wait`, returns when the issue has ended or changed, or after that many seconds. Waiting
 * requests share the company's event feed.
 * @throws ApiError 404; 429 and 503 with `Retry-After` at a limit of event streams
 */
export async function awaitIssue(
  call: WaitingCall,
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
  call: WaitingCall,
  found: IssueDetailView,
  waitMs: number,
  until: GetIssueQuery['until'],
): Promise<IssueDetailView> {
  const { id, updatedAt } = found;
  const deadline = performance.now() + waitMs;
  const news = createSignal();
  let isCut = false;
  const end = () => {
    isCut = true;
    news.notify();
  };
  const place = { companyId: call.companyId, caller: holderOf(call.actor) };
  const { feed, leave } = eventStreams(call.context).join(place, { onEvents: news.notify, end });
  call.response.once('close', end);
  try {
    let at = feed.readTo();
    let latest = await getIssue(call, id);
    let isChanged = latest.updatedAt !== updatedAt;
    while (!isCut && !(until === 'ended' ? isOver(latest.status) : isChanged)) {
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
  } finally {
    call.response.off('close', end);
    leave();
  }
}
