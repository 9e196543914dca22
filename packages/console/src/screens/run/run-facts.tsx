import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { formatBytes, formatCents, formatCompact } from '../../i18n/formats';
import { Avatar, StatusMark } from '../../ui/marks';
import { Facts } from '../../ui/page';
import type { Run } from './run';

export function RunFacts({ run }: { run: Run }) {
  const { issuePrefix: company } = useCompany();
  const { usage, issue } = run;
  const linkClass = 'inline-flex min-h-6 items-center text-accent hover:underline';
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold">{t('run.facts')}</h2>
      <Facts
        facts={[
          [
            t('run.agent'),
            <Link
              key="agent"
              to="/$company/agents/$agent"
              params={{ company, agent: run.agentId }}
              className={`gap-1.5 ${linkClass}`}
            >
              <Avatar name={run.agentName} size={16} />
              {run.agentName}
            </Link>,
          ],
          issue && [
            t('run.issue'),
            <Link
              key="issue"
              to="/$company/issues/$issue"
              params={{ company, issue: issue.identifier }}
              className={linkClass}
            >
              <StatusMark of="issue" status={issue.status} className="mr-1.5 align-[-2px]" />
              {issue.identifier} {issue.title}
            </Link>,
          ],
          [t('run.source'), word('runSource', run.source)],
          [
            t('run.cost'),
            <>
              {formatCents(usage.costCents)}
              {usage.unpricedEvents > 0 && (
                <span className="text-warn">
                  {' + '}
                  {t('run.unpriced', { count: usage.unpricedEvents })}
                </span>
              )}
            </>,
          ],
          usage.inputTokens + usage.outputTokens > 0 && [
            t('run.tokens'),
            t('run.tokensValue', {
              input: formatCompact(usage.inputTokens),
              output: formatCompact(usage.outputTokens),
            }),
          ],
          run.exitCode !== null && [t('run.exitCode'), String(run.exitCode)],
          [t('run.logSize'), formatBytes(run.logBytes)],
          run.retryOfRunId !== null && [
            t('run.retryOf'),
            <RunLink key="of" run={run.retryOfRunId}>
              {t('run.previous')}
            </RunLink>,
          ],
          run.retriedAs && [
            t('run.retriedAs'),
            <RunLink key="as" run={run.retriedAs.id}>
              {t('run.next')}, {word('runStatus', run.retriedAs.status)}
            </RunLink>,
          ],
        ]}
      />
    </section>
  );
}

function RunLink({ run, children }: { run: string; children: React.ReactNode }) {
  const { issuePrefix: company } = useCompany();
  return (
    <Link
      to="/$company/runs/$run"
      params={{ company, run }}
      className="text-accent hover:underline"
    >
      {children}
    </Link>
  );
}
