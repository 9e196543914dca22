import { newId } from '@switchyard/db';
import type { CommentView, MentionOutcome } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { insertComment } from '../../state/issues/insert-comment';
import { NO_WAKE } from '../../state/wakeups/foresee-wake';
import { recordWakeups } from '../../state/wakeups/record-wakeups';
import { type AnsweredAgent, lockAnswered, type Unnamed } from '../mentions/answered-agents';
import { judgeMentions } from '../mentions/judge-mentions';
import { type CommentText, mentionsNobody } from '../mentions/read-comment-text';

/**
 * Adds a comment, also as part of an update, and wakes mentioned agents. A person's comment also
 * wakes the assignee and the agents that it answers, unless `wake` is false. Stores the outcome of
 * each wake.
 */
export async function addComment(
  call: Call,
  issueId: string,
  text: CommentText,
  unnamed: Unnamed = {},
): Promise<CommentView> {
  const { body } = text;
  const answers = call.actor.type === 'board' && unnamed.wake !== false;
  if (mentionsNobody(text) && !answers) return insertComment(call, issueId, { body, mentions: [] });
  const mentions = await judgeMentions(call, issueId, text);
  if (!mentions.some(isWake) && !answers) return insertComment(call, issueId, { body, mentions });
  return inTransaction(call, async (tx) => {
    const id = newId();
    const cause = { source: 'mention', issueId, commentId: id } as const;
    const answered = answers ? await lockAnswered(tx, issueId, mentions, unnamed) : [];
    const recorded = await recordWakeups(tx, { agentIds: idsOf(mentions), ...cause });
    return insertComment(tx, issueId, {
      id,
      body,
      mentions: recorded === 'hop_limit' ? mentions.map(suppressed) : withWakes(mentions, recorded),
      woken: await wakeAnswered(tx, answered, cause),
    });
  });
}

async function wakeAnswered(
  tx: Tx,
  answered: AnsweredAgent[],
  wake: { source: 'mention'; issueId: string; commentId: string },
): Promise<MentionOutcome[]> {
  const outcomes: MentionOutcome[] = [];
  for (const reason of ['mention_answered', 'comment'] as const) {
    const some = answered.flatMap(({ cause, outcome }) => (cause === reason ? [outcome] : []));
    const recorded = await recordWakeups(tx, { agentIds: idsOf(some), ...wake, reason });
    outcomes.push(...(recorded === 'hop_limit' ? some.map(suppressed) : withWakes(some, recorded)));
  }
  return outcomes;
}

const idsOf = (mentions: MentionOutcome[]): string[] =>
  mentions.flatMap((mention) => (isWake(mention) ? [mention.agentId as string] : []));

function withWakes(mentions: MentionOutcome[], wakeupIds: string[]): MentionOutcome[] {
  const left = [...wakeupIds];
  return mentions.map((mention) => {
    const wakeupId = isWake(mention) ? left.shift() : undefined;
    return { ...mention, wakeupId: wakeupId ?? null };
  });
}

export const isWake = ({ outcome }: MentionOutcome) =>
  outcome === 'woken' || outcome === 'coalesced';

export const suppressed = (mention: MentionOutcome): MentionOutcome =>
  isWake(mention) ? { ...mention, outcome: 'skipped', reason: 'hop_limit', ...NO_WAKE } : mention;
