import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { Panel, Section } from '../../ui/page';
import { Ago } from '../../ui/time';
import type { Overview } from './overview';

export function Failures({ overview: { failures } }: { overview: Overview }) {
  const { issuePrefix: company } = useCompany();
  if (failures.length === 0) return null;
  return (
    <Section title={t('overview.failures')}>
      <Panel>
        {failures.map(({ errorCode, count, last }) => (
          <Link
            key={errorCode}
            to={last ? '/$company/runs/$run' : '/$company/runs'}
            params={{ company, run: last?.runId ?? '' }}
            className="block border-b border-line px-4 py-2 last:border-0 hover:bg-hover"
          >
            <span className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1 truncate font-medium">
                {word('errorCode', errorCode ?? 'unknown')}
              </span>
              <span className="shrink-0 text-sm text-bad">{t('overview.times', { count })}</span>
            </span>
            {last && (
              <span className="flex gap-3 text-sm text-muted">
                <span className="min-w-0 flex-1 truncate" title={last.error ?? undefined}>
                  {[last.agentName, last.error].filter(Boolean).join(' · ')}
                </span>
                {last.finishedAt && <Ago at={last.finishedAt} className="shrink-0" />}
              </span>
            )}
          </Link>
        ))}
      </Panel>
    </Section>
  );
}
