import { Link } from '@tanstack/react-router';
import { FolderKanban, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useProjects } from '../../data/directory';
import { useMayWrite } from '../../data/rights';
import { t, word } from '../../i18n';
import { formatCount, formatDate } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { Progress } from '../../ui/figures/progress';
import { Avatar, Tag } from '../../ui/marks';
import { Page } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
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
  const [isCreating, setCreating] = useState(false);
  const create = useMayWrite() && (
    <Button icon={Plus} onClick={() => setCreating(true)}>
      {t('projects.new')}
    </Button>
  );
  return (
    <Page
      title={t('nav.projects')}
      aside={projects.data && projects.data.length > 0 && formatCount(projects.data.length)}
      actions={create}
    >
      <Loading of={projects}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={FolderKanban} title={t('projects.empty')} action={create}>
              {t('projects.emptyText')}
            </Empty>
          ) : (
            <ul>
              {all.map((project) => (
                <ProjectRow key={project.id} project={project} />
              ))}
            </ul>
          )
        }
      </Loading>
      {isCreating && <ProjectForm onClose={() => setCreating(false)} />}
    </Page>
  );
}

function ProjectRow({ project }: { project: Project }) {
  const { issuePrefix } = useCompany();
  const { total, open } = project.issueCounts;
  return (
    <li>
      <Link
        to="/$company/projects/$project"
        params={{ company: issuePrefix, project: project.id }}
        className="flex min-h-11 items-center gap-x-4 border-b border-line bg-surface px-4 py-1.5 hover:bg-hover max-md:flex-wrap max-md:gap-y-1"
      >
        <span className="flex min-w-0 flex-1 items-baseline gap-2 overflow-hidden max-md:basis-full">
          <span className="max-w-full shrink-0 truncate font-medium">{project.name}</span>
          <span className="min-w-0 truncate text-sm text-muted max-md:hidden">
            {project.descriptionExcerpt}
          </span>
        </span>
        <span className="flex w-28 min-w-0 items-center gap-1.5 text-sm text-muted max-lg:hidden">
          {project.leadName && (
            <>
              <Avatar name={project.leadName} />
              <span className="truncate">{project.leadName}</span>
            </>
          )}
        </span>
        <span className="w-24 text-right text-sm whitespace-nowrap text-muted max-md:hidden">
          {project.targetDate && formatDate(project.targetDate)}
        </span>
        <span className="flex w-40 shrink-0 max-md:flex-1">
          <Progress isFull done={total - open} total={total} label={t('goals.issues', { total })} />
        </span>
        <span className="w-28 shrink-0 max-md:w-auto">
          <ProjectTag status={project.status} />
        </span>
      </Link>
    </li>
  );
}
