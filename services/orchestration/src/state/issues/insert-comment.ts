import { announce, ask, newId, select, statement } from '@switchyard/db';
import type { CommentView, MentionOutcome } from '@switchyard/types';
import { ACTIVITY, activityOf, insertActivity } from '../../kernel/activity';
import { createdBy } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { companyArchived } from '../companies/archived';
import { assertTextRoom, hasTextRoomSql } from '../companies/text-quota';

export const COMMENT = {
  id: 'uuid',
  issueId: 'uuid',
  body: 'text',
  authorAgentId: 'uuid?',
  authorUserId: 'text?',
  createdByRunId: 'uuid?',
  createdAt: 'time',
  mentions: 'json',
  woken: 'json',
} as const;

export async function insertComment(
  call: Call,
  issueId: string,
  comment: {
    id?: string;
    body: string;
    mentions: MentionOutcome[];
    woken?: MentionOutcome[];
    author?: ReturnType<typeof createdBy>;
  },
): Promise<CommentView> {
  const { db, companyId } = call;
  const { id = newId(), body, mentions, woken = [], author = createdBy(call) } = comment;
  const values = {
    id,
    companyId,
    issueId,
    body,
    mentions,
    woken,
    textLimit: call.context.config.companyTextBytes,
    callsBoard: mentions.some(({ outcome }) => outcome === 'board'),
    ...author,
    ...activityOf(call),
  };
  const [made] = await ask(db, insertIntoIssue, values);
  if (!made) {
    await assertTextRoom(call, body);
    throw companyArchived();
  }
  announce(db, companyId);
  return made;
}

const insertIntoIssue = statement('insert-comment', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    issueId: 'uuid',
    body: 'text',
    mentions: 'json',
    woken: 'json',
    textLimit: 'bigint',
    callsBoard: 'bool',
    createdByAgentId: 'uuid?',
    createdByUserId: 'text?',
    ...ACTIVITY,
  },
  gives: COMMENT,
  sql: (p) => `
    WITH made AS (
      INSERT INTO issue_comment
        (id, company_id, issue_id, body, mentions, woken, author_agent_id, author_user_id, created_by_run_id)
      SELECT ${p.id}, c.id, ${p.issueId}, ${p.body}, ${p.mentions}, ${p.woken},
        ${p.createdByAgentId}, ${p.createdByUserId}, ${p.actingRunId}
      FROM company c WHERE c.id = ${p.companyId} AND c.status <> 'archived'
        AND ${hasTextRoomSql(p, `octet_length(${p.body})`)}
      FOR KEY SHARE OF c
      RETURNING *
    ), called AS (
      UPDATE issue SET board_mention_comment_id = CASE WHEN ${p.callsBoard} THEN made.id END
      FROM made WHERE issue.id = ${p.issueId} AND (${p.callsBoard}
        OR ${p.createdByUserId} IS NOT NULL AND issue.board_mention_comment_id IS NOT NULL)
    ), recorded AS (${insertActivity(p, {
      action: 'issue.commented',
      from: 'made',
      companyId: 'company_id',
      entityId: 'issue_id',
      details: `jsonb_build_object('commentId', id)`,
    })})
    SELECT ${select(COMMENT, 'made')} FROM made`,
});
