import { ask, type FromColumns, jsonObject, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import {
  type CallbackState,
  type DocumentSummaryView,
  ISSUE_STATUSES,
  type IssueDetailView,
  type IssueStatus,
} from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { isDeletedSql } from '../../state/companies/deleted';
import { callbackStateSql } from '../../state/deliveries/insert-callback';
import {
  ISSUE,
  ISSUE_SUMMARY,
  type IssueRow,
  issueJson,
  selectIssue,
} from '../../state/issues/issue-columns';
import { DOCUMENT_SUMMARY, DOCUMENTS } from '../documents/document-columns';
import { GOAL, GOAL_SUMMARY } from '../goals/goal-columns';
import { projectJson, projectSummaryJson } from '../projects/project-json';
import { presentIssue } from './present-issue';

export async function getIssue({ db }: Call, issueId: string): Promise<IssueDetailView> {
  const [row] = await ask(db, readIssue, { issueId });
  if (!row) throw notFound('issue');
  const { isLinked, callback, ...issue } = row;
  const [linked] = isLinked ? await ask(db, readLinked, issue) : [];
  return {
    ...presentDetail(issue, linked ?? NOTHING_LINKED),
    callback: callback as CallbackState | null,
  };
}

function presentDetail(row: IssueRow, linked: Linked): Omit<IssueDetailView, 'callback'> {
  const documentSummaries: DocumentSummaryView[] = linked.documentSummaries ?? [];
  const body = linked.planDocument;
  const summary = body === null ? null : documentSummaries.find(({ key }) => key === 'plan');
  return {
    ...presentIssue(row),
    project: linked.project,
    goal: linked.goal,
    ancestors: linked.ancestors?.map(presentIssue) ?? [],
    blockedBy: linked.blockedBy ?? [],
    children: childrenOf(linked.children ?? {}),
    planDocument: summary ? { ...summary, body: body as string } : null,
    documentSummaries,
    legacyPlanDocument: summary ? null : legacyPlanOf(row.description),
  };
}

function childrenOf(counted: Record<string, number>): IssueDetailView['children'] {
  const byStatus = {} as Record<IssueStatus, number>;
  let total = 0;
  for (const status of ISSUE_STATUSES) {
    byStatus[status] = counted[status] ?? 0;
    total += byStatus[status];
  }
  return { total, byStatus };
}

function legacyPlanOf(description: string | null): IssueDetailView['legacyPlanDocument'] {
  const body = extractLegacyPlan(description);
  if (body === null) return null;
  return { key: 'plan', format: 'markdown', body, source: 'issue_description' };
}

const LINKED = {
  project: 'json?',
  goal: 'json?',
  ancestors: 'json?',
  blockedBy: 'json?',
  children: 'json?',
  documentSummaries: 'json?',
  planDocument: 'text?',
} as const;

type Linked = FromColumns<typeof LINKED>;
const NOTHING_LINKED: Linked = {
  project: null,
  goal: null,
  ancestors: null,
  blockedBy: null,
  children: null,
  documentSummaries: null,
  planDocument: null,
};

/** Uses scalar subqueries, because PostgreSQL may scan the whole table for EXISTS. */
const readIssue = statement('get-issue', {
  takes: { issueId: 'uuid' },
  gives: { ...ISSUE, isLinked: 'bool', callback: 'text?' },
  sql: ({ issueId }) => `
    SELECT ${selectIssue(ISSUE, 'i')}, num_nonnulls(i.project_id, i.goal_id, i.parent_id) > 0
      OR (SELECT true FROM issue_blocker WHERE issue_id = i.id LIMIT 1) IS NOT NULL
      OR (SELECT true FROM issue child
        WHERE child.company_id = i.company_id AND child.parent_id = i.id LIMIT 1) IS NOT NULL
      OR (SELECT true FROM issue_document WHERE issue_id = i.id LIMIT 1) IS NOT NULL AS "isLinked",
      ${callbackStateSql('i')} AS callback
    FROM issue i WHERE i.id = ${issueId} AND NOT ${isDeletedSql('i.company_id')}`,
});

export const MAX_ANCESTORS = 500;

const ancestors = (parentId: string) => `
  WITH RECURSIVE above AS (
    SELECT p.id, p.parent_id, 1 AS height FROM issue p WHERE p.id = ${parentId}
    UNION ALL
    SELECT p.id, p.parent_id, height + 1 FROM above JOIN issue p ON p.id = above.parent_id
    WHERE height < ${MAX_ANCESTORS}
  ) SELECT json_agg(${issueJson(ISSUE_SUMMARY, 'a', {
    project: `CASE WHEN a.project_id IS NOT NULL THEN
      (SELECT ${projectSummaryJson('p')} FROM project p WHERE p.id = a.project_id) END`,
    goal: `CASE WHEN a.goal_id IS NOT NULL THEN
      (SELECT ${jsonObject(GOAL_SUMMARY, 'g')} FROM goal g WHERE g.id = a.goal_id) END`,
  })} ORDER BY above.height) FROM above JOIN issue a ON a.id = above.id`;

/**
 * This statement is separate from `readIssue`, because most issues have no links, and planning this
 * part takes longer than executing it. Its parameters are values of the row that `readIssue`
 * returned, so that the response is consistent.
 */
const readLinked = statement('get-issue-links', {
  takes: { id: 'uuid', companyId: 'uuid', projectId: 'uuid?', goalId: 'uuid?', parentId: 'uuid?' },
  gives: LINKED,
  sql: ({ id, companyId, projectId, goalId, parentId }) => `
    SELECT (SELECT ${projectJson('p')} FROM project p WHERE p.id = ${projectId}) AS project,
      (SELECT ${jsonObject(GOAL, 'g')} FROM goal g WHERE g.id = ${goalId}) AS goal,
      (${ancestors(parentId)}) AS ancestors,
      (SELECT json_agg(json_build_object('issueId', blocker.id, 'identifier', blocker.identifier,
          'title', blocker.title, 'status', blocker.status) ORDER BY blocker.issue_number)
        FROM issue_blocker b JOIN issue blocker ON blocker.id = b.blocker_id
        WHERE b.issue_id = ${id}) AS "blockedBy",
      (SELECT json_object_agg(status, n) FROM (
        SELECT child.status, count(*) AS n FROM issue child
        WHERE child.company_id = ${companyId} AND child.parent_id = ${id} GROUP BY child.status
      ) counted) AS children,
      documents.summaries AS "documentSummaries", documents.plan AS "planDocument"
    FROM (
      SELECT json_agg(${jsonObject(DOCUMENT_SUMMARY, 'd')} ORDER BY d.created_at DESC, d.id DESC) AS summaries,
        max(d.body) FILTER (WHERE d.key = 'plan') AS plan
      FROM ${DOCUMENTS} d WHERE d.issue_id = ${id}
    ) documents`,
});

const OPENING = /<plan>/i;
const CLOSING = /<\/plan>/i;

/** Searches for the two tags separately, because one pattern for both could take quadratic time. */
export function extractLegacyPlan(description: string | null): string | null {
  if (!description) return null;
  const opening = OPENING.exec(description);
  if (!opening) return null;
  const rest = description.slice(opening.index + opening[0].length);
  const closing = CLOSING.exec(rest);
  return closing ? rest.slice(0, closing.index).trim() || null : null;
}
