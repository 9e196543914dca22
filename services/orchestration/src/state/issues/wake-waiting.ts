import { bind, type RowOf, statement, trip } from '@switchyard/db';
import { type ActivityEntry, recordActivities } from '../../kernel/activity';
import type { Tx } from '../../kernel/call';
import { isEmployedSql } from '../statuses/agent-status';
import { isOpenSql } from '../statuses/issue-status';
import { recordIssueWakeups } from '../wakeups/record-wakeups';

/**
 * Wakes the assignees of issues whose last open blocker ended, and of the parent whose last open
 * child ended; sends one wake if both apply. If several issues end concurrently, the transaction
 * that gets the locks last can see that all have ended.
 */
export async function wakeWaiting(
  tx: Tx,
  ended: { id: string; parentId: string | null },
): Promise<void> {
  const { companyId } = tx;
  const { id: endedId, parentId } = ended;
  const locks = [
    bind(lockRowsOfWaiting, { companyId, endedId }),
    ...(parentId ? [bind(lockChildren, { parentId })] : []),
  ];
  const freed = await trip(tx, locks, readFreed, { companyId, endedId, parentId });
  if (freed.length === 0) return;
  const wakes = freed.flatMap((issue) =>
    issue.agentId === null ? [] : [{ agentId: issue.agentId, ...causeOf(issue) }],
  );
  const suppressed = await recordIssueWakeups(tx, 'assignment', wakes);
  const asleep = new Set(suppressed.map(({ issueId }) => issueId));
  await recordActivities(
    tx,
    freed.map((issue) => entryOf(tx, issue, asleep.has(issue.issueId))),
  );
}

type Freed = RowOf<typeof readFreed>;

/**
 * An unblocked issue continues the wake chain of the caller who set the blocker. Otherwise a long
 * planned sequence of issues would count as agents that wake each other forever.
 */
function causeOf({ issueId, isUnblocked, blockerIds, childIds, children, hops }: Freed) {
  return {
    issueId,
    hops: isUnblocked ? hops : null,
    reason: isUnblocked ? 'blockers_ended' : 'children_ended',
    payload: {
      issueId,
      ...(isUnblocked && { blockerIds }),
      ...(children > 0 && { childIds, children }),
    },
  };
}

function entryOf(tx: Tx, freed: Freed, isSuppressed: boolean): ActivityEntry {
  const { companyId, actor, runId } = tx;
  const { reason, issueId, payload } = causeOf(freed);
  const { issueId: _, ...about } = payload;
  const nobody = freed.userId === null ? 'no_assignee' : 'assigned_to_person';
  const skipped = freed.agentId === null ? nobody : isSuppressed ? 'hop_limit' : null;
  const details = { ...about, agentId: freed.agentId, ...(skipped && { skipped }) };
  return { companyId, actor, runId, action: `issue.${reason}`, entityId: issueId, details };
}

const lockRowsOfWaiting = statement('lock-rows-of-waiting', {
  takes: { companyId: 'uuid', endedId: 'uuid' },
  gives: {},
  sql: (p) => `
    SELECT FROM issue_blocker WHERE issue_id IN (
      SELECT issue_id FROM issue_blocker
      WHERE company_id = ${p.companyId} AND blocker_id = ${p.endedId})
    ORDER BY issue_id, blocker_id FOR UPDATE`,
});

/**
 * Uses an advisory lock. With a lock of the parent's row, a transaction that ends a child would
 * wait for every change of the parent, and could deadlock.
 */
const lockChildren = statement('lock-children', {
  takes: { parentId: 'uuid' },
  gives: {},
  sql: ({ parentId }) => `
    SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended('children:' || ${parentId}::text, 0))) AS held`,
});

const NAMED_CHILDREN = 50;

/**
 * Returns the open issues for which the ended issue was the last blocker or child. The agent is
 * null if it may not get work.
 */
const readFreed = statement('read-freed-issues', {
  takes: { companyId: 'uuid', endedId: 'uuid', parentId: 'uuid?' },
  gives: {
    issueId: 'uuid',
    agentId: 'uuid?',
    userId: 'text?',
    isUnblocked: 'bool',
    blockerIds: 'uuid[]',
    childIds: 'uuid[]',
    children: 'int',
    hops: 'int',
  },
  sql: (p) => `
    WITH waiting AS (
      SELECT b.issue_id AS id FROM issue_blocker b
      WHERE b.company_id = ${p.companyId} AND b.blocker_id = ${p.endedId}
      UNION SELECT ${p.parentId} WHERE ${p.parentId} IS NOT NULL
    ), looked AS (
      SELECT i.id, i.assignee_agent_id, i.assignee_user_id, blockers.ids, blockers.hops, coalesce(${p.endedId} = ANY (blockers.ids), false) AS is_unblocked,
        i.id = ${p.parentId} AND (SELECT child.id FROM issue child
          WHERE child.parent_id = i.id AND ${isOpenSql('child')} LIMIT 1) IS NULL AS is_childless
      FROM waiting JOIN issue i USING (id) CROSS JOIN LATERAL (
        SELECT array_agg(b.blocker_id ORDER BY b.blocker_id) AS ids, bool_or(${isOpenSql('blocker')}) AS are_open,
          max(b.hops) AS hops
        FROM issue_blocker b JOIN issue blocker ON blocker.id = b.blocker_id WHERE b.issue_id = i.id
      ) blockers
      WHERE ${isOpenSql('i')} AND blockers.are_open IS NOT TRUE
    )
    SELECT l.id AS "issueId", a.id AS "agentId", l.assignee_user_id AS "userId", l.is_unblocked AS "isUnblocked",
      coalesce(l.ids, '{}') AS "blockerIds", coalesce(children.ids[1:${NAMED_CHILDREN}], '{}') AS "childIds",
      coalesce(cardinality(children.ids), 0) AS children, coalesce(l.hops, 0) AS hops
    FROM looked l
    LEFT JOIN agent a ON a.id = l.assignee_agent_id AND ${isEmployedSql('a')}
    LEFT JOIN LATERAL (
      SELECT array_agg(child.id ORDER BY child.issue_number) AS ids FROM issue child
      WHERE child.company_id = ${p.companyId} AND child.parent_id = l.id AND l.is_childless
    ) children ON true
    WHERE l.is_unblocked OR l.is_childless
    ORDER BY l.id`,
});
