import { statement } from '@switchyard/db';
import { isOpenSql } from '../../state/issues/issue-status';
import { commonParts } from './common-parts';
import { INBOX_ITEM } from './inbox-row';
import type { SourceParameters } from './source';
import { SOURCES } from './sources';

const CALLER = { companyId: 'uuid', userId: 'text', showsInvites: 'bool' } as const;

/** Everything that needs a person now, with what the caller has hidden of it. */
const itemsSql = (p: SourceParameters & Readonly<Record<keyof typeof CALLER, string>>) => `
  ${commonParts(p)}, item AS (
    ${SOURCES.flatMap((source) => source.sql(p)).join('\n    UNION ALL')}
  ), seen AS (
    SELECT item.*, item.kind || ':' || item.id AS item_id, coalesce(h.happened_at >= item.happened_at
        AND h.fingerprint = item.fingerprint AND (h.until IS NULL OR h.until > now()), false) AS is_hidden,
      h.until, h.hidden_at
    FROM item LEFT JOIN hidden_inbox_item h ON h.company_id = ${p.companyId}
      AND h.user_id = ${p.userId} AND h.item_id = item.kind || ':' || item.id
  )`;

/** SQL: the latest comment on the issue of `page` among those with a quality. An answer of a person is not what it asks. */
const lastWords = (isMeant: string) => `
        SELECT c.body FROM issue_comment c WHERE c.issue_id = page.issue_id AND ${isMeant}
        ORDER BY c.created_at DESC, c.id DESC LIMIT 1`;

const POSITION = {
  afterSeverity: 'int',
  afterSince: 'time',
  afterKind: 'int',
  afterId: 'uuid',
} as const;

/** A page of it; what texts are made of is read for the rows of the page alone. */
export const listItems = statement('inbox', {
  takes: {
    ...CALLER,
    showsSnoozed: 'bool',
    showsDismissed: 'bool',
    itemId: 'text?',
    ...POSITION,
    take: 'int',
  },
  gives: INBOX_ITEM,
  sql: (p) => `
    WITH ${itemsSql(p)}, page AS (
      SELECT * FROM seen
      WHERE (NOT is_hidden OR (until IS NULL AND ${p.showsDismissed}) OR (until IS NOT NULL AND ${p.showsSnoozed}))
        AND (${p.itemId} IS NULL OR item_id = ${p.itemId})
        AND (severity_at, since, kind_at, id)
          > (${p.afterSeverity}, ${p.afterSince}, ${p.afterKind}, ${p.afterId})
      ORDER BY severity_at, since, kind_at, id LIMIT ${p.take}
    )
    SELECT page.kind, page.severity_at AS "severityAt", page.kind_at AS "kindAt", page.id, page.since,
      page.issue_id AS "issueId", page.agent_id AS "agentId", page.run_id AS "runId",
      page.approval_id AS "approvalId", page.routine_id AS "routineId", page.agents,
      page.issues + coalesce(waiting.n, 0) + coalesce(asked.n, 0) AS issues,
      page.facts, ${p.companyId} AS "companyId", a.name AS "agentName", i.identifier,
      left(i.title, 200) AS "issueTitle", left(r.title, 200) AS "routineTitle", said.body AS comment,
      CASE WHEN page.is_hidden THEN page.until END AS "snoozedUntil",
      CASE WHEN page.is_hidden AND page.until IS NULL THEN page.hidden_at END AS "dismissedAt"
    FROM page
    LEFT JOIN agent a ON a.id = page.agent_id
    LEFT JOIN issue i ON i.id = page.issue_id
    LEFT JOIN routine r ON r.id = page.routine_id
    LEFT JOIN LATERAL (
      SELECT left(coalesce((${lastWords('c.author_agent_id IS NOT NULL')}),
        (${lastWords('c.created_at <= i.status_since')})), 300) AS body
      WHERE page.kind IN ('blocked_issue', 'issue_review')
    ) said ON true
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS n FROM issue_blocker b JOIN issue w ON w.id = b.issue_id
      WHERE b.company_id = ${p.companyId} AND b.blocker_id = page.issue_id AND ${isOpenSql('w')}
    ) waiting ON true
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS n FROM approval_issue ai JOIN issue i ON i.id = ai.issue_id
      WHERE ai.approval_id = page.approval_id AND ${isOpenSql('i')}
    ) asked ON true
    ORDER BY page.severity_at, page.since, page.kind_at, page.id`,
});

export const countItems = statement('inbox-counts', {
  takes: CALLER,
  gives: { kind: 'text', shown: 'int', snoozed: 'int', dismissed: 'int' },
  sql: (p) => `
    WITH ${itemsSql(p)}
    SELECT kind, (count(*) FILTER (WHERE NOT is_hidden))::int AS shown,
      (count(*) FILTER (WHERE is_hidden AND until IS NOT NULL))::int AS snoozed,
      (count(*) FILTER (WHERE is_hidden AND until IS NULL))::int AS dismissed
    FROM seen GROUP BY kind`,
});

/** Hides what is there now: the same item is shown again when it happens after this. */
export const hideItem = statement('hide-inbox-item', {
  takes: { ...CALLER, itemId: 'text', until: 'time?' },
  gives: { itemId: 'text' },
  sql: (p) => `
    WITH ${itemsSql(p)}
    INSERT INTO hidden_inbox_item AS known (company_id, user_id, item_id, happened_at, fingerprint, until)
    SELECT ${p.companyId}, ${p.userId}, item_id, happened_at, fingerprint, ${p.until}
    FROM seen WHERE item_id = ${p.itemId}
    ON CONFLICT (company_id, user_id, item_id) DO UPDATE SET happened_at = excluded.happened_at,
      fingerprint = excluded.fingerprint, until = excluded.until, hidden_at = now()
    RETURNING item_id AS "itemId"`,
});

export const showItem = statement('show-inbox-item', {
  takes: { companyId: 'uuid', userId: 'text', itemId: 'text' },
  gives: { itemId: 'text' },
  sql: (p) => `
    DELETE FROM hidden_inbox_item
    WHERE company_id = ${p.companyId} AND user_id = ${p.userId} AND item_id = ${p.itemId}
    RETURNING item_id AS "itemId"`,
});
