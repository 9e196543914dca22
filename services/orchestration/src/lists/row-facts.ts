import { jsonObject } from '@switchyard/db';
import {
  EXCERPT_CHARACTERS,
  ISSUE_STATUSES,
  type IssueCounts,
  LOCAL_BOARD_ID,
} from '@switchyard/types';
import { goalScope } from './goal-scope';

/**
 * Uses subqueries, because these cost one index lookup per row of the page; for a join, PostgreSQL
 * could read a whole table first. `id` is SQL.
 */
export const agentName = (id: string) =>
  `(SELECT named.name FROM agent named WHERE named.id = ${id})`;

export const userName = (userId: string) => `CASE
  WHEN ${userId} = '${LOCAL_BOARD_ID}' THEN 'Local board'
  WHEN ${userId} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    THEN (SELECT named.name FROM person named WHERE named.id = ${userId}::uuid) END`;

export const actorName = (row: string) => `CASE ${row}.actor_type
  WHEN 'agent' THEN ${agentName(`${row}.actor_id::uuid`)}
  WHEN 'user' THEN ${userName(`${row}.actor_id`)} END`;

const REFERENCE = { id: 'uuid', identifier: 'text', title: 'text', status: 'text' } as const;

export const issueReferenceJson = (alias: string) => jsonObject(REFERENCE, alias);

export const issueReference = (id: string) =>
  `(SELECT ${issueReferenceJson('named')} FROM issue named WHERE named.id = ${id})`;

export const reasonSql = (run: string) =>
  `coalesce(${run}.wake_reasons -> 0 ->> 'reason', ${run}.source)`;

export const excerpt = (text: string) => `left(${text}, ${EXCERPT_CHARACTERS})`;

export const issueCounts = (row: string): string =>
  `(${sumByStatus(tallies(row, `owner_id = ${row}.id`))})`;

export const servingIssueCounts = (row: string): string => `(
  WITH RECURSIVE ${goalScope(`${row}.company_id`, `${row}.id`)}
  ${sumByStatus(`
    ${tallies(row, 'owner_id IN (SELECT id FROM serving_goal UNION ALL SELECT id FROM serving_project)')}
    UNION ALL SELECT i.status, -1 FROM issue i
    WHERE i.company_id = ${row}.company_id AND EXISTS (SELECT FROM serving_project)
      AND i.goal_id IN (SELECT id FROM serving_goal) AND i.project_id IN (SELECT id FROM serving_project)`)})`;

const tallies = (row: string, isOfOwner: string) =>
  ['issue_tally', 'issue_tally_change']
    .map((table) => {
      const isOfCompany = `company_id = ${row}.company_id`;
      return `SELECT status, n FROM ${table} WHERE ${isOfCompany} AND ${isOfOwner}`;
    })
    .join(' UNION ALL ');

const sumByStatus = (parts: string) => `SELECT jsonb_object_agg(status, n) FROM (
  SELECT status, sum(n)::int AS n FROM (${parts}) part GROUP BY status) tally`;

export function presentIssueCounts(counts: Partial<Record<string, number>> | null): IssueCounts {
  const byStatus = Object.fromEntries(
    ISSUE_STATUSES.map((status) => [status, counts?.[status] ?? 0]),
  ) as IssueCounts['byStatus'];
  const total = Object.values(byStatus).reduce((sum, n) => sum + n, 0);
  return { total, open: total - byStatus.done - byStatus.cancelled, byStatus };
}
