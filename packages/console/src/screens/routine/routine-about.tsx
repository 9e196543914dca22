import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { useAgents, useProjects } from '../../data/directory';
import { t, word } from '../../i18n';
import { Avatar, PriorityMark } from '../../ui/marks';
import { Facts, Section } from '../../ui/page';
import type { Routine } from './routine';

export function RoutineAbout({ routine }: { routine: Routine }) {
  const { issuePrefix: company } = useCompany();
  const agent = useAgents().get(routine.assigneeAgentId);
  const project = useProjects().data?.find(({ id }) => id === routine.projectId);
  return (
    <Section title={t('routine.about')}>
      <Facts
        facts={[
          agent && [
            t('routine.assignee'),
            <Link
              key="agent"
              to="/$company/agents/$agent"
              params={{ company, agent: agent.id }}
              className="inline-flex min-h-6 items-center gap-1.5 text-accent hover:underline"
            >
              <Avatar name={agent.name} size={16} />
              {agent.name}
            </Link>,
          ],
          project && [
            t('routine.project'),
            <Link
              key="project"
              to="/$company/projects/$project"
              params={{ company, project: project.id }}
              className="inline-flex min-h-6 items-center text-accent hover:underline"
            >
              {project.name}
            </Link>,
          ],
          [
            t('routine.priority'),
            <PriorityMark key="priority" priority={routine.priority} isLabelled />,
          ],
          [t('routine.concurrency'), word('concurrencyPolicy', routine.concurrencyPolicy)],
          [t('routine.catchUp'), word('catchUpPolicy', routine.catchUpPolicy)],
        ]}
      />
    </Section>
  );
}
