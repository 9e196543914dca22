import { ask, askAfresh, statement } from '@switchyard/db';
import type { CountIssuesQuery } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { goalScope } from '../../../lists/goal-scope';
import { readWordsQuery, WORDS, type WordsQuery, wordsQuery } from '../../../lists/words-query';
import { findLabel } from '../../../state/labels/find-label';
import { labelOf } from '../../labels/label-of';
import { foldOwnSearchChanges } from '../../search/fold-search-changes';

/** Maximum number of matches that are read and sorted for one page; more would cost too much. */
const FEW = 1_000;

/**
 * If at least `FREQUENT` of the `LOOKED_AT` newest issues contain the words, the list is read in
 * its own order instead of through the word index.
 */
const LOOKED_AT = 2_000;
const FREQUENT = 100;

/**
 * `ids` are the issues that match the selective filters; the other filters are evaluated per issue.
 */
export interface Sought {
  ids: string[] | null;
  labelId: string | null;
  words: WordsQuery | null;
  scope: { goals: string[]; projects: string[] } | null;
}

type SoughtBy = Pick<
  CountIssuesQuery,
  'approvalId' | 'label' | 'q' | 'assigneeAgentId' | 'projectId' | 'servesGoalId'
>;

export async function seekIssues(call: Call, query: SoughtBy): Promise<Sought | null> {
  const { companyId, db } = call;
  const sets: string[][] = [];
  const sought: Sought = { ids: null, labelId: null, words: null, scope: null };
  if (query.approvalId !== undefined) {
    const [found] = await ask(db, findOfApproval, { companyId, approvalId: query.approvalId });
    sets.push(found?.ids ?? []);
  }
  const { assigneeAgentId, projectId } = query;
  if (assigneeAgentId !== undefined && projectId !== undefined) {
    const pair = { companyId, assigneeAgentId, projectId };
    const [found] = await ask(db, findOfAgentAndProject, pair);
    if (!found?.isMany) sets.push(found?.ids ?? []);
  }
  if (query.servesGoalId !== undefined) {
    const [scope] = await ask(db, findScope, { companyId, goalId: query.servesGoalId });
    if (!scope?.goals) return null;
    const { goals, projects } = scope;
    sought.scope = { goals, projects: projects ?? [] };
  }
  if (query.label !== undefined) {
    const labelId = await findLabel(call, labelOf(query.label).key);
    if (labelId === null) return null;
    const [found] = await ask(db, findOfLabel, { companyId, labelId });
    if (found?.isMany) sought.labelId = labelId;
    else sets.push(found?.ids ?? []);
  }
  if (query.q !== undefined) {
    const words = readWordsQuery(query.q);
    await foldOwnSearchChanges(call);
    const [found] = await askAfresh(db, findByWords, { companyId, ...words });
    if (found?.isMany) sought.words = words;
    else sets.push(found?.ids ?? []);
  }
  if (sets.length > 0) sought.ids = sets.reduce(inBoth);
  return sought.ids?.length === 0 ? null : sought;
}

function inBoth(one: string[], other: string[]): string[] {
  const known = new Set(one);
  return other.filter((id) => known.has(id));
}

const findScope = statement('find-scope-of-goal', {
  takes: { companyId: 'uuid', goalId: 'uuid' },
  gives: { goals: 'uuid[]?', projects: 'uuid[]?' },
  sql: (p) => `
    WITH RECURSIVE ${goalScope(p.companyId, p.goalId)}
    SELECT (SELECT array_agg(id) FROM serving_goal) AS goals,
      (SELECT array_agg(id) FROM serving_project) AS projects`,
});

const FOUND = { ids: 'uuid[]', isMany: 'bool' } as const;

const idsOf = (few: string) => `
  SELECT coalesce(array_agg(id), '{}') AS ids, count(*) > ${FEW} AS "isMany" FROM (${few}) few`;

const findOfApproval = statement('find-issues-of-approval', {
  takes: { companyId: 'uuid', approvalId: 'uuid' },
  gives: FOUND,
  sql: (p) =>
    idsOf(`SELECT issue_id AS id FROM approval_issue
      WHERE approval_id = ${p.approvalId} AND company_id = ${p.companyId}`),
});

/**
 * A separate statement, because PostgreSQL assumes that agent and project are independent: it would
 * scan the whole list for an agent that only works on other projects.
 */
const findOfAgentAndProject = statement('find-issues-of-agent-and-project', {
  takes: { companyId: 'uuid', assigneeAgentId: 'uuid', projectId: 'uuid' },
  gives: FOUND,
  sql: (p) =>
    idsOf(`SELECT id FROM issue
      WHERE company_id = ${p.companyId} AND assignee_agent_id = ${p.assigneeAgentId}
        AND project_id = ${p.projectId}
      ORDER BY status, priority_rank, created_at, id LIMIT ${FEW + 1}`),
});

const findOfLabel = statement('find-issues-of-label', {
  takes: { companyId: 'uuid', labelId: 'uuid' },
  gives: FOUND,
  sql: (p) =>
    idsOf(`SELECT issue_id AS id FROM issue_label
      WHERE company_id = ${p.companyId} AND label_id = ${p.labelId}
      ORDER BY issue_id LIMIT ${FEW + 1}`),
});

/** Reads the word index unless the newest issues show that the words are frequent. */
const findByWords = statement('find-issues-by-words', {
  takes: { companyId: 'uuid', ...WORDS },
  gives: FOUND,
  sql: (p) => `
    WITH newest AS MATERIALIZED (
      SELECT count(*) AS n FROM (
        SELECT words FROM search_entry WHERE company_id = ${p.companyId} AND kind = 'issue'
        ORDER BY at DESC, entity_id DESC LIMIT ${LOOKED_AT}
      ) e WHERE e.words @@ ${wordsQuery(p, "'issue'")}
    ), few AS MATERIALIZED (
      SELECT id FROM (
        SELECT entity_id AS id FROM search_entry
        WHERE words @@ ${wordsQuery(p, "'issue'")} AND (SELECT n FROM newest) < ${FREQUENT} OFFSET 0
      ) found LIMIT ${FEW + 1}
    )
    SELECT coalesce(array_agg(id), '{}') AS ids,
      (SELECT n FROM newest) >= ${FREQUENT} OR count(*) > ${FEW} AS "isMany" FROM few`,
});
