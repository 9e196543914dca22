import { ask, statement } from '@switchyard/db';
import type { CommentPreview, MentionOutcome } from '@switchyard/types';
import type { Call } from '../../call';
import { wakeHops } from '../../state/wakeups/wake-hops';
import { isWake, suppressed } from '../issues/add-comment';
import { judgeMentions } from '../mentions/judge-mentions';
import { readCommentText } from '../mentions/read-comment-text';

/** What a comment would do if it were sent now, judged as the comment itself is; nothing is written. */
export async function previewComment(
  call: Call,
  issueId: string,
  { body }: { body: string },
): Promise<CommentPreview> {
  const text = await readCommentText(body);
  const mentions = await withinHops(call, await judgeMentions(call, issueId, text));
  const [issue] = await ask(call.db, readCommented, { issueId });
  const isByPerson = call.actor.type === 'board';
  return {
    mentions,
    assignee: issue?.agentId && issue.name ? wakeOf(issue.agentId, issue.name, mentions) : null,
    settlesMention: isByPerson && issue?.callsBoard === true,
  };
}

async function withinHops(call: Call, mentions: MentionOutcome[]): Promise<MentionOutcome[]> {
  if (!mentions.some(isWake)) return mentions;
  const isTooLong = (await wakeHops(call)) > call.context.config.mentionHopCap;
  return isTooLong ? mentions.map(suppressed) : mentions;
}

/** A comment wakes those whom it mentions, and the assignee is no exception. */
function wakeOf(agentId: string, name: string, mentions: MentionOutcome[]) {
  const mention = mentions.find((one) => one.agentId === agentId);
  if (!mention) return { agentId, name, wakes: false, reason: 'not_mentioned' };
  return { agentId, name, wakes: isWake(mention), reason: mention.reason };
}

const readCommented = statement('read-commented-issue', {
  takes: { issueId: 'uuid' },
  gives: { agentId: 'uuid?', name: 'text?', callsBoard: 'bool' },
  sql: ({ issueId }) => `
    SELECT a.id AS "agentId", a.name, i.board_mention_comment_id IS NOT NULL AS "callsBoard"
    FROM issue i LEFT JOIN agent a ON a.id = i.assignee_agent_id WHERE i.id = ${issueId}`,
});
