import type { Prisma } from '@switchyard/db';
import { notFound, type Reply } from '@switchyard/server';
import type { ListedProjectView, ProjectDetailView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { newestFirstList } from '../../lists/newest-first';
import { agentName, excerpt, issueCounts, presentIssueCounts } from '../../lists/row-facts';
import { presentProject } from './present-project';
import { PROJECT_SUMMARY } from './project-json';

export async function getProject(
  { db }: Pick<Call, 'db'>,
  projectId: string,
): Promise<ProjectDetailView> {
  const where = { id: projectId };
  const project = await db.prisma.project.findUnique({ where, include: PROJECT_DETAIL });
  if (!project) throw notFound('project');
  return presentProject(project);
}

export function listProjects(
  { db, companyId }: Call,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<ListedProjectView[]>> {
  return readProjects(db, { ...query, companyId });
}

const readProjects = newestFirstList(
  'list-projects',
  {
    table: 'project',
    gives: PROJECT_SUMMARY,
    derived: {
      goals: [
        'json?',
        `(SELECT jsonb_agg(jsonb_build_array(link.position, link.goal_id))
          FROM project_goal link WHERE link.project_id = listed.id)`,
      ],
      leadName: ['text?', agentName('listed.lead_agent_id')],
      descriptionExcerpt: ['text?', excerpt('listed.description')],
      workspaceCount: [
        'int',
        `(SELECT count(*)::int FROM workspace
          WHERE workspace.company_id = listed.company_id AND workspace.project_id = listed.id)`,
      ],
      issueCounts: ['json?', issueCounts('listed')],
    },
  },
  ({ goals, ...row }) =>
    ({
      ...row,
      goalIds: inOrder(goals ?? []),
      issueCounts: presentIssueCounts(row.issueCounts),
    }) as ListedProjectView,
);

export const readProjectRows = readProjects.byIds;

const inOrder = (goals: [position: number, goalId: string][]) =>
  goals.sort(([a], [b]) => a - b).map(([, goalId]) => goalId);

const PROJECT_DETAIL = {
  goals: { select: { goalId: true }, orderBy: { position: 'asc' } },
  workspaces: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
} satisfies Prisma.ProjectInclude;
