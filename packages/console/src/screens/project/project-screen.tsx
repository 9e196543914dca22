import { Link, useParams } from '@tanstack/react-router';
import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents, useGoals, useProjects } from '../../data/directory';
import { useDraft } from '../../data/draft';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useOpenOverlay } from '../../frame/overlays';
import { t } from '../../i18n';
import { formatDate } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { Progress } from '../../ui/figures/progress';
import { Markdown } from '../../ui/markdown/markdown';
import { StatusMark } from '../../ui/marks';
import { Facts, Page, Panel, Section } from '../../ui/page';
import { Loading } from '../../ui/states';
import { ProjectForm } from '../projects/project-form';
import { ProjectTag } from '../projects/projects-screen';
import { WorkspaceForm } from './workspace-form';
import { WorkspaceRow } from './workspace-row';

type Project = Schemas['ProjectDetail'];
type Workspace = Schemas['Workspace'];

export function ProjectScreen() {
  const { project: projectId } = useParams({ strict: false }) as { project: string };
  const project = useRead('/api/projects/{projectId}', { path: { projectId } });
  const [isEdited, setEdited] = useState(false);
  const mayWrite = useMayWrite();
  const { id: companyId } = useCompany();
  const [, setProjectOfNext] = useDraft(`new issue project ${companyId}`);
  const open = useOpenOverlay();
  const newIssue = () => {
    setProjectOfNext(projectId);
    open('new-issue');
  };
  return (
    <Loading of={project}>
      {(data) => (
        <Page
          title={data.name}
          aside={<ProjectTag status={data.status} />}
          actions={
            mayWrite && (
              <>
                <Button icon={Pencil} onClick={() => setEdited(true)}>
                  {t('action.edit')}
                </Button>
                <Button tone="primary" icon={Plus} onClick={newIssue}>
                  {t('key.newIssue')}
                </Button>
              </>
            )
          }
          width="measure"
        >
          {data.description && <Markdown className="mb-3 last:mb-0" text={data.description} />}
          <About project={data} />
          <Workspaces project={data} />
          <OpenIssues projectId={projectId} />
          {isEdited && <ProjectForm project={data} onClose={() => setEdited(false)} />}
        </Page>
      )}
    </Loading>
  );
}

function About({ project }: { project: Project }) {
  const { issuePrefix } = useCompany();
  const goals = useGoals();
  const agents = useAgents();
  const lead = agents.get(project.leadAgentId);
  const served = goals.data?.filter(({ id }) => project.goalIds.includes(id)) ?? [];
  const listed = useProjects().data?.find(({ id }) => id === project.id);
  return (
    <Section title={t('project.about')}>
      <Facts
        facts={[
          lead && [
            t('projects.lead'),
            <Link
              key="lead"
              to="/$company/agents/$agent"
              params={{ company: issuePrefix, agent: lead.id }}
              className="text-accent hover:underline"
            >
              {lead.name}
            </Link>,
          ],
          project.targetDate !== null && [t('projects.target'), formatDate(project.targetDate)],
          served.length > 0 && [
            t('nav.goals'),
            <span key="goals" className="flex flex-wrap gap-x-3">
              {served.map(({ id, title }) => (
                <Link
                  key={id}
                  to="/$company/goals/$goal"
                  params={{ company: issuePrefix, goal: id }}
                  className="text-accent hover:underline"
                >
                  {title}
                </Link>
              ))}
            </span>,
          ],
          listed && [
            t('goals.progress'),
            <span key="progress" className="flex max-w-64">
              <Progress
                isFull
                done={listed.issueCounts.total - listed.issueCounts.open}
                total={listed.issueCounts.total}
                label={t('goals.issues', { total: listed.issueCounts.total })}
              />
            </span>,
          ],
        ]}
      />
    </Section>
  );
}

function Workspaces({ project }: { project: Project }) {
  const [edited, setEdited] = useState<Workspace | 'new'>();
  const mayWrite = useMayWrite();
  return (
    <Section
      title={t('project.workspaces')}
      aside={
        mayWrite && (
          <Button tone="quiet" icon={Plus} onClick={() => setEdited('new')}>
            {t('project.newWorkspace')}
          </Button>
        )
      }
    >
      {project.workspaces.length === 0 ? (
        <p className="text-sm text-muted">{t('project.noWorkspace')}</p>
      ) : (
        <Panel>
          {project.workspaces.map((workspace) => (
            <WorkspaceRow
              key={workspace.id}
              workspace={workspace}
              onEdit={() => setEdited(workspace)}
            />
          ))}
        </Panel>
      )}
      {edited && (
        <WorkspaceForm
          projectId={project.id}
          workspace={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  );
}

function OpenIssues({ projectId }: { projectId: string }) {
  const { id: companyId, issuePrefix } = useCompany();
  const issues = useRead('/api/companies/{companyId}/issues', {
    path: { companyId },
    query: {
      projectId,
      status: ['in_progress', 'in_review', 'blocked', 'todo', 'backlog'],
      sort: 'priority',
      limit: 20,
    },
  });
  return (
    <Section
      title={t('project.openIssues')}
      aside={
        <Link
          to="/$company/issues"
          params={{ company: issuePrefix }}
          search={{ projectId }}
          className="text-accent hover:underline"
        >
          {t('project.allIssues')}
        </Link>
      }
    >
      <Loading of={issues}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-sm text-muted">{t('project.noIssue')}</p>
          ) : (
            <Panel>
              {rows.map((issue) => (
                <Link
                  key={issue.id}
                  to="/$company/issues/$issue"
                  params={{ company: issuePrefix, issue: issue.identifier }}
                  className="flex min-h-11 items-center gap-3 border-b border-line px-4 last:border-0 hover:bg-hover"
                >
                  <StatusMark of="issue" status={issue.status} />
                  <span className="w-16 shrink-0 text-sm text-muted">{issue.identifier}</span>
                  <span className="min-w-0 flex-1 truncate">{issue.title}</span>
                  <span className="shrink-0 text-sm text-muted max-md:hidden">
                    {issue.assigneeName}
                  </span>
                </Link>
              ))}
            </Panel>
          )
        }
      </Loading>
    </Section>
  );
}
