import { newId } from '@switchyard/db';
import type { CommentView, MentionOutcome } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { insertComment } from '../../state/issues/insert-comment';
import { recordWakeups } from '../../state/wakeups/record-wakeups';
import { judgeMentions } from '../mentions/judge-mentions';
import { type CommentText, mentionsNobody } from '../mentions/read-comment-text';

/**
 * Adds a comment, alone or with an update of its issue, and wakes the agents that it mentions. What became of each
 * mention is stored with it. A call of the board stays with the issue until a person comments, or the issue ends.
 */
export async function addComment(
  call: Call,
  issueId: string,
  text: CommentText,
): Promise<CommentView> {
  const { body } = text;
  if (mentionsNobody(text)) return insertComment(call, issueId, { body, mentions: [] });
  const mentions = await judgeMentions(call, issueId, text);
  const agentIds = mentions.flatMap((mention) =>
    isWake(mention) ? [mention.agentId as string] : [],
  );
  if (agentIds.length === 0) return insertComment(call, issueId, { body, mentions });
  return inTransaction(call, async (tx) => {
    const id = newId();
    const wakes = { agentIds, source: 'mention', issueId, commentId: id } as const;
    const recorded = await recordWakeups(tx, wakes);
    const outcomes =
      recorded === 'hop_limit' ? mentions.map(suppressed) : withWakes(mentions, recorded);
    return insertComment(tx, issueId, { id, body, mentions: outcomes });
  });
}

/** The wakes in the order of the mentions that wake. */
function withWakes(mentions: MentionOutcome[], wakeupIds: string[]): MentionOutcome[] {
  const left = [...wakeupIds];
  return mentions.map((mention) => {
    const wakeupId = isWake(mention) ? left.shift() : undefined;
    return wakeupId ? { ...mention, wakeupId } : mention;
  });
}

export const isWake = ({ outcome }: MentionOutcome) =>
  outcome === 'woken' || outcome === 'coalesced';

export const suppressed = (mention: MentionOutcome): MentionOutcome =>
  isWake(mention) ? { ...mention, outcome: 'skipped', reason: 'hop_limit' } : mention;
