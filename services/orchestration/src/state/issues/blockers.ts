import { ask, bind, statement, trip } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import type { Call, Tx } from '../../kernel/call';
import { assertReferences } from '../references';
import { isOpenSql } from '../statuses/issue-status';
import { wakeHops } from '../wakeups/wake-hops';

export interface OpenBlockers {
  before: number;
  after: number;
}

/**
 * Replaces all blockers of an issue. The caller holds the issue's lock. If there are blockers, the
 * caller has also called `lockHierarchy`, because two concurrent changes can together close a cycle
 * that neither change closes by itself.
 * @throws ApiError 422 `unknown_reference` or `cycle`, 403 `cross_company`
 */
export async function replaceBlockers(
  tx: Tx,
  issueId: string,
  blockerIds: string[],
): Promise<OpenBlockers> {
  const { companyId } = tx;
  const wanted = distinctIds(blockerIds);
  const locks = [bind(lockBlockers, { companyId, wanted }), bind(lockBlockerRows, { issueId })];
  const [found] = await trip(tx, locks, readBlockers, { companyId, issueId, wanted });
  if (!found) throw new Error('the statement that reads the blockers returned no row');
  if (found.known < wanted.length) await assertBlockersExist(tx, wanted);
  if (found.isCircle) {
    const said =
      'blockedBy would create a cycle: it must not name the issue itself or one that waits for it';
    throw unprocessable('cycle', said, { field: 'blockedBy' });
  }
  const added = wanted.filter((id) => !found.present.includes(id));
  const removed = found.present.filter((id) => !wanted.includes(id));
  if (added.length > 0 || removed.length > 0) {
    const hops = added.length > 0 ? await wakeHops(tx) : 0;
    await ask(tx, writeBlockers, { companyId, issueId, added, removed, hops });
    const details = { added, removed, open: found.after };
    await tx.record('issue.blockers_changed', issueId, details);
  }
  return { before: found.before, after: found.after };
}

export const distinctIds = (ids: readonly string[]): string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
];

export const assertBlockersExist = (call: Call, blockerIds: string[]): Promise<void> =>
  assertReferences(call, 'issue', blockerIds, 'blockedBy');

/**
 * Waits until transactions that end these blockers have committed, because those transactions
 * cannot see this change. Orders the locks to prevent deadlocks.
 */
export const lockBlockers = statement('lock-blockers', {
  takes: { companyId: 'uuid', wanted: 'uuid[]' },
  gives: {},
  sql: ({ companyId, wanted }) => `
    SELECT FROM issue WHERE id = ANY (${wanted}) AND company_id = ${companyId}
    ORDER BY id FOR SHARE`,
});

export const lockBlockerRows = statement('lock-blocker-rows', {
  takes: { issueId: 'uuid' },
  gives: {},
  sql: ({ issueId }) => `
    SELECT FROM issue_blocker WHERE issue_id = ${issueId} ORDER BY blocker_id FOR UPDATE`,
});

const readBlockers = statement('read-blockers', {
  takes: { companyId: 'uuid', issueId: 'uuid', wanted: 'uuid[]' },
  gives: { known: 'int', isCircle: 'bool', present: 'uuid[]', before: 'int', after: 'int' },
  sql: (p) => `
    WITH RECURSIVE above AS (
      SELECT unnest(${p.wanted}) AS id
      UNION
      SELECT b.blocker_id FROM issue_blocker b JOIN above ON b.issue_id = above.id
    ), named AS (
      SELECT count(*)::int AS known, count(*) FILTER (WHERE ${isOpenSql('i')})::int AS open
      FROM issue i WHERE i.id = ANY (${p.wanted}) AND i.company_id = ${p.companyId}
    ), waits AS (
      SELECT coalesce(array_agg(b.blocker_id ORDER BY b.blocker_id), '{}') AS present,
        count(*) FILTER (WHERE ${isOpenSql('i')})::int AS open
      FROM issue_blocker b JOIN issue i ON i.id = b.blocker_id WHERE b.issue_id = ${p.issueId}
    )
    SELECT named.known, ${p.issueId} IN (SELECT id FROM above) AS "isCircle",
      waits.present, waits.open AS before, named.open AS after
    FROM named, waits`,
});

const writeBlockers = statement('write-blockers', {
  takes: { companyId: 'uuid', issueId: 'uuid', added: 'uuid[]', removed: 'uuid[]', hops: 'int' },
  gives: {},
  sql: (p) => `
    WITH gone AS (
      DELETE FROM issue_blocker WHERE issue_id = ${p.issueId} AND blocker_id = ANY (${p.removed})
    ), come AS (
      INSERT INTO issue_blocker (company_id, issue_id, blocker_id, hops)
      SELECT ${p.companyId}, ${p.issueId}, unnest(${p.added}), ${p.hops}
    )
    UPDATE issue SET updated_at = now() WHERE id = ${p.issueId}`,
});
