import { Link } from '@tanstack/react-router';
import { FolderKanban, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t, word } from '../../i18n';
import { formatDate } from '../../i18n/formats';
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
  const { id: companyId } = useCompany();
  const projects = useRead('/api/companies/{companyId}/projects', {
    path: { companyId },
    query: { limit: 500 },
  });
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title={t('nav.projects')}
      actions={
        <Button icon={Plus} onClick={() => setCreating(true)}>
          {t('projects.new')}
        </Button>
      }
    >
      <Loading of={projects}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={FolderKanban} title={t('projects.empty')}>
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
        className="flex min-h-11 items-center gap-3 border-b border-line bg-surface px-4 py-1.5 hover:bg-hover"
      >
        <span className="flex min-w-0 flex-1 items-baseline gap-2">
          <span className="truncate font-medium">{project.name}</span>
          <span className="truncate text-sm text-muted max-md:hidden">
            {project.descriptionExcerpt}
          </span>
        </span>
        {project.leadName && (
          <span className="flex items-center gap-1.5 text-sm text-muted max-lg:hidden">
            <Avatar name={project.leadName} /> {project.leadName}
          </span>
        )}
        {project.targetDate && (
          <span className="text-sm text-muted max-md:hidden">{formatDate(project.targetDate)}</span>
        )}
        <span className="w-36 shrink-0 max-md:w-20">
          <Progress done={total - open} total={total} label={t('goals.issues', { total })} />
        </span>
        <ProjectTag status={project.status} />
      </Link>
    </li>
  );
}
