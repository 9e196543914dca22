import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { t } from '../../i18n';
import { Panel, Section } from '../../ui/page';
import { Ago } from '../../ui/time';
import type { Overview } from './overview';

export function Next({ overview: { next } }: { overview: Pick<Overview, 'next'> }) {
  const { issuePrefix: company } = useCompany();
  if (next.length === 0) return null;
  return (
    <Section title={t('overview.next')}>
      <Panel>
        {next.map((firing) => (
          <Link
            key={firing.triggerId}
            to="/$company/routines/$routine"
            params={{ company, routine: firing.routineId }}
            className="flex min-h-11 items-center gap-3 border-b border-line px-4 last:border-0 hover:bg-hover"
          >
            <span className="min-w-0 flex-1 truncate font-medium">{firing.title}</span>
            <span className="shrink-0 text-sm text-muted max-md:hidden">{firing.agentName}</span>
            <Ago
              at={firing.nextRunAt}
              className="min-w-16 shrink-0 text-right text-sm whitespace-nowrap text-muted"
            />
          </Link>
        ))}
      </Panel>
    </Section>
  );
}
