import { ask, statement } from '@switchyard/db';
import type { CommentPreview, CreateCommentBody, MentionOutcome } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { isOver } from '../../state/statuses/issue-status';
import { assertMayWake } from '../../state/wakeups/assert-may-wake';
import { isOverHopCap, wakeHops } from '../../state/wakeups/wake-hops';
import { isWake, suppressed } from '../issues/add-comment';
import { foreseeAnswered } from '../mentions/answered-agents';
import { judgeMentions } from '../mentions/judge-mentions';
import { readCommentText } from '../mentions/read-comment-text';

export async function previewComment(
  call: Call,
  issueId: string,
  { body, wake }: CreateCommentBody,
): Promise<CommentPreview> {
  assertMayWake(call, wake);
  const text = await readCommentText(body);
  const mentions = await withinHops(call, await judgeMentions(call, issueId, text));
  const answered = await foreseeAnswered(call, issueId, mentions, { wake });
  const woken = answered.map(({ outcome }) => outcome);
  const [issue] = await ask(call.db, readCommented, { issueId });
  const isByPerson = call.actor.type === 'board';
  return {
    mentions,
    woken,
    assignee: issue?.agentId ? wakeOf(issue, [...mentions, ...woken]) : null,
    settlesMention: isByPerson && issue?.callsBoard === true,
  };
}

async function withinHops(call: Call, mentions: MentionOutcome[]): Promise<MentionOutcome[]> {
  if (!mentions.some(isWake)) return mentions;
  const isTooLong = isOverHopCap(call, await wakeHops(call));
  return isTooLong ? mentions.map(suppressed) : mentions;
}

function wakeOf(
  { agentId, name, status }: { agentId: string | null; name: string | null; status: string },
  outcomes: MentionOutcome[],
) {
  const assignee = { agentId: agentId as string, name: name as string };
  const wake = outcomes.find((one) => one.agentId === agentId);
  if (wake) return { ...assignee, wakes: isWake(wake), reason: wake.reason };
  const reason = isOver(status) ? `issue_${status}` : 'not_mentioned';
  return { ...assignee, wakes: false, reason };
}

const readCommented = statement('read-commented-issue', {
  takes: { issueId: 'uuid' },
  gives: { agentId: 'uuid?', name: 'text?', status: 'text', callsBoard: 'bool' },
  sql: ({ issueId }) => `
    SELECT a.id AS "agentId", a.name, i.status, i.board_mention_comment_id IS NOT NULL AS "callsBoard"
    FROM issue i LEFT JOIN agent a ON a.id = i.assignee_agent_id WHERE i.id = ${issueId}`,
});
