import { ask, jsonObject, type RowOf, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import {
  type DocumentSummaryView,
  ISSUE_STATUSES,
  type IssueDetailView,
  type IssueStatus,
} from '@switchyard/types';
import type { Call } from '../../call';
import {
  ISSUE,
  ISSUE_SUMMARY,
  issueJson,
  selectIssue,
  selectUnlabelledIssue,
} from '../../state/issues/issue-columns';
import { DOCUMENT_SUMMARY, DOCUMENTS } from '../documents/document-columns';
import { GOAL, GOAL_SUMMARY } from '../goals/goal-columns';
import { projectJson, projectSummaryJson } from '../projects/project-json';
import { extractLegacyPlan } from './legacy-plan';
import { presentIssue } from './present-issue';

/** An issue with all that an agent needs to begin (spec, "Get Issue"). @throws ApiError 404 */
export async function getIssue(call: Call, issueId: string): Promise<IssueDetailView> {
  const row = (await readAlone(call, issueId)) ?? (await readLinked(call, issueId));
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

/**
 * Which issues had something linked when they were last read: a guess, which saves a statement that would find so again.
 * What is linked is read from the row and its tables each time.
 */
const linkedLately = new Set<string>();
const MOST_GUESSES = 10_000;

/** The issue without what is linked to it, where nothing is; else null. PostgreSQL prepares all parts of a plan, used or not. */
async function readAlone({ db }: Call, issueId: string): Promise<RowOf<typeof readIssue> | null> {
  if (linkedLately.has(issueId)) return null;
  const [row] = await ask(db, readPlainIssue, { issueId });
  if (!row) throw notFound('issue');
  const { isLinked, ...issue } = row;
  if (isLinked) return null;
  return { ...issue, ...NOTHING_LINKED };
}

async function readLinked({ db }: Call, issueId: string): Promise<RowOf<typeof readIssue>> {
  const [row] = await ask(db, readIssue, { issueId });
  if (!row) throw notFound('issue');
  const isLinked = PARTS.some((part) => row[part] !== null) || row.labels.length > 0;
  guessLinked(issueId, isLinked);
  return row;
}

function guessLinked(issueId: string, isLinked: boolean): void {
  linkedLately.delete(issueId);
  if (!isLinked) return;
  if (linkedLately.size >= MOST_GUESSES) linkedLately.clear();
  linkedLately.add(issueId);
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

/** Columns of what is linked; null where nothing is. */
const LINKED = {
  project: 'json?',
  goal: 'json?',
  ancestors: 'json?',
  blockedBy: 'json?',
  children: 'json?',
  documents: 'json?',
  plan: 'text?',
} as const;

const PARTS = Object.keys(LINKED) as (keyof typeof LINKED)[];
const NOTHING_LINKED = Object.fromEntries(PARTS.map((part) => [part, null])) as Record<
  keyof typeof LINKED,
  null
>;

const readPlainIssue = statement('get-plain-issue', {
  takes: { issueId: 'uuid' },
  gives: { ...ISSUE, isLinked: 'bool' },
  sql: ({ issueId }) => `
    SELECT ${selectUnlabelledIssue('i')},
      num_nonnulls(i.project_id, i.goal_id, i.parent_id) > 0
        OR EXISTS (SELECT FROM issue_label WHERE issue_id = i.id)
        OR EXISTS (SELECT FROM issue_blocker WHERE issue_id = i.id)
        OR EXISTS (SELECT FROM issue child WHERE child.company_id = i.company_id AND child.parent_id = i.id)
        OR EXISTS (SELECT FROM issue_document WHERE issue_id = i.id) AS "isLinked"
    FROM issue i WHERE i.id = ${issueId}`,
});

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
    ...LINKED,
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
