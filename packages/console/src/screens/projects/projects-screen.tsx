import { Link, useNavigate } from '@tanstack/react-router';
import { FolderKanban, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useProjects } from '../../data/directory';
import { useMayWrite } from '../../data/rights';
import { t, word } from '../../i18n';
import { formatCount, formatDate } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { Progress } from '../../ui/figures/progress';
import { type Heads, ListScreen } from '../../ui/list-screen';
import { plainExcerpt } from '../../ui/markdown/plain-excerpt';
import { Avatar, Tag } from '../../ui/marks';
import { Empty } from '../../ui/states';
import { ProjectForm } from './project-form';

type Project = Schemas['ListedProject'];

const TONES = {
  backlog: 'plain',
  planned: 'plain',
  in_progress: 'live',
  completed: 'good',
  cancelled: 'plain',
} as const;

export const ProjectTag = ({ status }: { status: Project['status'] }) => (
  <Tag tone={TONES[status]}>{word('projectStatus', status)}</Tag>
);

export function ProjectsScreen() {
  const projects = useProjects();
  const { issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const show = (project: string) =>
    void navigate({ to: '/$company/projects/$project', params: { company, project } });
  const [isCreating, setCreating] = useState(false);
  const create = useMayWrite() && (
    <Button tone="primary" icon={Plus} onClick={() => setCreating(true)}>
      {t('projects.new')}
    </Button>
  );
  return (
    <ListScreen
      title={t('nav.projects')}
      aside={projects.data?.length ? formatCount(projects.data.length) : undefined}
      actions={create}
      of={projects}
      rows={projects.data}
      heights={[44, 76]}
      heads={heads()}
      empty={
        <Empty icon={FolderKanban} title={t('projects.empty')} action={create}>
          {t('projects.emptyText')}
        </Empty>
      }
      onOpen={({ id }) => show(id)}
      render={(project) => <ProjectRow project={project} />}
    >
      {isCreating && (
        <ProjectForm
          onDone={({ id: project }) => show(project)}
          onClose={() => setCreating(false)}
        />
      )}
    </ListScreen>
  );
}

const CELLS = {
  lead: 'w-32 shrink-0 max-lg:hidden',
  date: 'w-24 shrink-0 text-right max-lg:hidden',
  issues: 'w-40 shrink-0',
  status: 'w-24 shrink-0',
};

const heads = (): Heads => [
  [t('field.name'), 'flex-1'],
  [t('projects.lead'), CELLS.lead],
  [t('projects.target'), CELLS.date],
  [t('nav.issues'), CELLS.issues],
  [t('field.status'), CELLS.status],
];

function ProjectRow({ project }: { project: Project }) {
  const { issuePrefix } = useCompany();
  const { total, open } = project.issueCounts;
  return (
    <Link
      to="/$company/projects/$project"
      params={{ company: issuePrefix, project: project.id }}
      className="flex h-full items-center gap-x-3 px-4 max-md:flex-wrap max-md:content-center max-md:gap-y-1"
    >
      <span className="flex min-w-0 flex-1 items-baseline gap-2 overflow-hidden max-md:basis-full">
        <span className="max-w-full shrink-0 truncate font-medium">{project.name}</span>
        <span className="min-w-0 truncate text-sm text-muted max-md:hidden">
          {plainExcerpt(project.descriptionExcerpt)}
        </span>
      </span>
      <span className={classNames(CELLS.lead, 'flex items-center gap-1.5 text-sm text-muted')}>
        {project.leadName && (
          <>
            <Avatar name={project.leadName} />
            <span className="truncate">{project.leadName}</span>
          </>
        )}
      </span>
      <span className={classNames(CELLS.date, 'text-sm whitespace-nowrap text-muted')}>
        {project.targetDate && formatDate(project.targetDate)}
      </span>
      <span className={classNames(CELLS.issues, 'flex max-md:flex-1')}>
        <Progress isFull done={total - open} total={total} label={t('goals.issues', { total })} />
      </span>
      <span className={classNames(CELLS.status, 'max-md:w-auto')}>
        <ProjectTag status={project.status} />
      </span>
    </Link>
  );
}
