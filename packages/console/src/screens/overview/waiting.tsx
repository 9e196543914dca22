import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { formatCount } from '../../i18n/formats';
import { Avatar } from '../../ui/marks';
import { Panel, Section } from '../../ui/page';
import { Ago } from '../../ui/time';
import { reasonOf } from '../runs/run-name';
import type { Overview } from './overview';

export function Waiting({ overview: { waiting } }: { overview: Overview }) {
  const { issuePrefix: company } = useCompany();
  if (waiting.total === 0) return null;
  return (
    <Section title={t('overview.waiting')} aside={formatCount(waiting.total)}>
      <Panel>
        {waiting.runs.map((run) => (
          <Link
            key={run.id}
            to="/$company/runs/$run"
            params={{ company, run: run.id }}
            className="flex min-h-11 items-center gap-2.5 border-b border-line px-4 py-1.5 last:border-0 hover:bg-hover max-md:flex-wrap max-md:gap-y-0"
          >
            <Avatar name={run.agentName} />
            <span className="shrink-0 font-medium">{run.agentName}</span>
            <span className="min-w-0 flex-1 truncate text-muted max-md:order-last max-md:basis-full">
              {run.issue ? `${run.issue.identifier} ${run.issue.title}` : reasonOf(run)}
            </span>
            <span className="ml-auto shrink-0 text-sm text-muted">
              {word('waitsFor', run.waitsFor)}
              {run.notBefore && (
                <>
                  {' · '}
                  <Ago at={run.notBefore} />
                </>
              )}
            </span>
          </Link>
        ))}
      </Panel>
    </Section>
  );
}
