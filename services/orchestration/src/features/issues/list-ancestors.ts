import type { Database } from '@switchyard/db';
import type { IssueAncestorView } from '@switchyard/types';
import { SUMMARY_COLUMNS } from '../../state/issues/issue-columns';
import { presentGoalSummary } from '../goals/present-goal';
import { presentProjectSummary } from '../projects/present-project';
import { PROJECT_SUMMARY } from '../projects/projects';
import type { IssueSummaryRow } from './present-issue';
import { presentIssueSummary } from './present-issue';

const WITHOUT_TEXT = { omit: { description: true } } as const;

/** As many parents as an answer shows; how deep a chain is, is its writers' choice. */
export const MAX_ANCESTORS = 500;

/**
 * The nearest parents of an issue, nearest first, each with its project and goal (spec, "Get Issue"). They
 * come without large texts, and three queries serve any depth (guarantee G31).
 */
export async function listAncestors(db: Database, issueId: string): Promise<IssueAncestorView[]> {
  const rows = await db.prisma.$queryRaw<IssueSummaryRow[]>`
    WITH RECURSIVE above AS (
      SELECT p.id AS ancestor, p.parent_id AS next, 1 AS height
      FROM issue i JOIN issue p ON p.id = i.parent_id WHERE i.id = ${issueId}::uuid
      UNION ALL
      SELECT p.id, p.parent_id, height + 1 FROM above JOIN issue p ON p.id = above.next
      WHERE height < ${MAX_ANCESTORS}
    ) SELECT ${SUMMARY_COLUMNS} FROM above JOIN issue ON issue.id = above.ancestor ORDER BY height`;
  const idsOf = (key: 'projectId' | 'goalId') => [
    ...new Set(rows.flatMap((row) => row[key] ?? [])),
  ];
  const projects = await db.prisma.project.findMany({
    where: { id: { in: idsOf('projectId') } },
    include: PROJECT_SUMMARY,
    ...WITHOUT_TEXT,
  });
  const goals = await db.prisma.goal.findMany({
    where: { id: { in: idsOf('goalId') } },
    ...WITHOUT_TEXT,
  });
  const projectById = new Map(projects.map((row) => [row.id, presentProjectSummary(row)]));
  const goalById = new Map(goals.map((row) => [row.id, presentGoalSummary(row)]));
  return rows.map((row) => ({
    ...presentIssueSummary(row),
    project: (row.projectId && projectById.get(row.projectId)) || null,
    goal: (row.goalId && goalById.get(row.goalId)) || null,
  }));
}
