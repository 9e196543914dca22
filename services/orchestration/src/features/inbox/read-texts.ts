import { ask, type Database, statement } from '@switchyard/db';
import { isOpenSql } from '../../state/statuses/issue-status';
import { INBOX_TEXTS, type InboxItemRow, type InboxRow } from './inbox-row';
import { approvalFacts } from './sources/approvals';

export async function readTexts(
  db: Database,
  companyId: string,
  items: readonly InboxItemRow[],
): Promise<InboxRow[]> {
  if (items.length === 0) return [];
  const ofAll = <Column extends keyof InboxItemRow>(column: Column) =>
    items.map((item) => item[column]);
  const texts = await ask(db, textsOfItems, {
    companyId,
    kinds: ofAll('kind'),
    ids: ofAll('id'),
    issueIds: ofAll('issueId') as string[],
    agentIds: ofAll('agentId') as string[],
  });
  return items.map((item, at) => {
    const found = texts[at];
    if (!found) throw new Error('an inbox item has no texts');
    const facts = found.approval ?? item.facts;
    return { ...item, ...found, facts, companyId, issues: item.issues + found.waiting };
  });
}

/** SQL of the latest matching comment; the callers' conditions exclude a person's answer. */
const lastWords = (isMeant: string) => `
        SELECT c.body FROM issue_comment c WHERE c.issue_id = item.issue_id AND ${isMeant}
        ORDER BY c.created_at DESC, c.id DESC LIMIT 1`;

const textsOfItems = statement('inbox-texts', {
  takes: {
    companyId: 'uuid',
    kinds: 'text[]',
    ids: 'uuid[]',
    issueIds: 'uuid[]',
    agentIds: 'uuid[]',
  },
  gives: INBOX_TEXTS,
  sql: (p) => `
    SELECT a.name AS "agentName", i.identifier, left(i.title, 200) AS "issueTitle",
      left(r.title, 200) AS "routineTitle",
      CASE WHEN item.kind IN ('blocked_issue', 'issue_review') THEN
        left(coalesce((${lastWords('c.author_agent_id IS NOT NULL')}),
          (${lastWords('c.created_at <= i.status_since')})), 300) END AS comment,
      CASE item.kind WHEN 'blocked_issue' THEN (SELECT c.author_agent_id FROM issue_comment c
        WHERE c.id = i.board_mention_comment_id) END AS "askedBy",
      CASE WHEN item.kind IN ('approval', 'question') THEN (${approvalFacts('item.id')}) END AS approval,
      ((SELECT count(*) FROM issue_blocker b JOIN issue w ON w.id = b.issue_id
        WHERE b.company_id = ${p.companyId} AND b.blocker_id = item.issue_id AND ${isOpenSql('w')})
      + CASE WHEN item.kind IN ('approval', 'question') THEN (
        SELECT count(*) FROM approval_issue ai JOIN issue i ON i.id = ai.issue_id
        WHERE ai.approval_id = item.id AND ${isOpenSql('i')}) ELSE 0 END)::int AS waiting
    FROM unnest(${p.kinds}, ${p.ids}, ${p.issueIds}, ${p.agentIds})
      WITH ORDINALITY AS item(kind, id, issue_id, agent_id, place)
    LEFT JOIN agent a ON a.id = item.agent_id
    LEFT JOIN issue i ON i.id = item.issue_id
    LEFT JOIN routine r ON r.id = item.id AND item.kind IN ('routine_stopped', 'routine_failed')
    ORDER BY item.place`,
});
