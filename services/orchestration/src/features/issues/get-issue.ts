import { ask, jsonObject, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import {
  type DocumentSummaryView,
  ISSUE_STATUSES,
  type IssueDetailView,
  type IssueStatus,
} from '@switchyard/types';
import type { Call } from '../../call';
import { ISSUE, ISSUE_SUMMARY, issueJson, selectIssue } from '../../state/issues/issue-columns';
import { DOCUMENT_SUMMARY, DOCUMENTS } from '../documents/document-columns';
import { GOAL, GOAL_SUMMARY } from '../goals/goal-columns';
import { projectJson, projectSummaryJson } from '../projects/project-json';
import { extractLegacyPlan } from './legacy-plan';
import { presentIssue } from './present-issue';

/** An issue with all that an agent needs to begin (spec, "Get Issue"). @throws ApiError 404 */
export async function getIssue(call: Call, issueId: string): Promise<IssueDetailView> {
  const [row] = await ask(call.db, readIssue, { issueId });
  if (!row) throw notFound('issue');
  const { project, goal, ancestors, blockedBy, children, documents, plan, ...issue } = row;
  const documentSummaries: DocumentSummaryView[] = documents ?? [];
  const summary = plan === null ? null : documentSummaries.find(({ key }) => key === 'plan');
  return {
    ...presentIssue(issue),
    project,
    goal,
    ancestors: ancestors?.map(presentIssue) ?? [],
    blockedBy: blockedBy ?? [],
    children: childrenOf(children ?? {}),
    planDocument: summary ? { ...summary, body: plan as string } : null,
    documentSummaries,
    legacyPlanDocument: summary ? null : legacyPlanOf(issue.description),
  };
}

function childrenOf(counted: Record<string, number>): IssueDetailView['children'] {
  const byStatus = Object.fromEntries(
    ISSUE_STATUSES.map((status) => [status, counted[status] ?? 0]),
  ) as Record<IssueStatus, number>;
  return { total: Object.values(byStatus).reduce((sum, n) => sum + n, 0), byStatus };
}

function legacyPlanOf(description: string | null): IssueDetailView['legacyPlanDocument'] {
  const body = extractLegacyPlan(description);
  if (body === null) return null;
  return { key: 'plan', format: 'markdown', body, source: 'issue_description' };
}

/** As many parents as a response shows; how deep a chain is, is its writers' choice. */
export const MAX_ANCESTORS = 500;

/** Nearest first, each with its project and goal, all without large texts. */
const ANCESTORS = `
  WITH RECURSIVE above AS (
    SELECT p.id, p.parent_id, 1 AS height FROM issue p WHERE p.id = i.parent_id
    UNION ALL
    SELECT p.id, p.parent_id, height + 1 FROM above JOIN issue p ON p.id = above.parent_id
    WHERE height < ${MAX_ANCESTORS}
  ) SELECT json_agg(${issueJson(ISSUE_SUMMARY, 'a', {
    project: `CASE WHEN a.project_id IS NOT NULL THEN
      (SELECT ${projectSummaryJson('p')} FROM project p WHERE p.id = a.project_id) END`,
    goal: `CASE WHEN a.goal_id IS NOT NULL THEN
      (SELECT ${jsonObject(GOAL_SUMMARY, 'g')} FROM goal g WHERE g.id = a.goal_id) END`,
  })} ORDER BY above.height) FROM above JOIN issue a ON a.id = above.id`;

/** By number. */
const BLOCKERS = `
  SELECT json_agg(json_build_object('issueId', blocker.id, 'identifier', blocker.identifier,
    'title', blocker.title, 'status', blocker.status) ORDER BY blocker.issue_number)
  FROM issue_blocker b JOIN issue blocker ON blocker.id = b.blocker_id WHERE b.issue_id = i.id`;

/** The parts that an issue links to are not looked for where its id of them is null. */
const readIssue = statement('get-issue', {
  takes: { issueId: 'uuid' },
  gives: {
    ...ISSUE,
    project: 'json?',
    goal: 'json?',
    ancestors: 'json?',
    blockedBy: 'json?',
    children: 'json?',
    documents: 'json?',
    plan: 'text?',
  },
  sql: ({ issueId }) => `
    SELECT ${selectIssue(ISSUE, 'i')},
      CASE WHEN i.project_id IS NOT NULL THEN
        (SELECT ${projectJson('p')} FROM project p WHERE p.id = i.project_id) END AS project,
      CASE WHEN i.goal_id IS NOT NULL THEN
        (SELECT ${jsonObject(GOAL, 'g')} FROM goal g WHERE g.id = i.goal_id) END AS goal,
      CASE WHEN i.parent_id IS NOT NULL THEN (${ANCESTORS}) END AS ancestors,
      (${BLOCKERS}) AS "blockedBy",
      (SELECT json_object_agg(status, n) FROM (
        SELECT child.status, count(*) AS n FROM issue child
        WHERE child.company_id = i.company_id AND child.parent_id = i.id GROUP BY child.status
      ) counted) AS children,
      documents.summaries AS documents, documents.plan
    FROM issue i CROSS JOIN LATERAL (
      SELECT json_agg(${jsonObject(DOCUMENT_SUMMARY, 'd')} ORDER BY d.created_at DESC, d.id DESC) AS summaries,
        max(d.body) FILTER (WHERE d.key = 'plan') AS plan
      FROM ${DOCUMENTS} d WHERE d.issue_id = i.id
    ) documents
    WHERE i.id = ${issueId}`,
});
