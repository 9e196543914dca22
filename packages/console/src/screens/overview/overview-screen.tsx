import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useCompany } from '../../data/company';
import type { Answer } from '../../data/read';
import { useRead } from '../../data/read';
import { t, word } from '../../i18n';
import { formatCents, formatCount, formatDate } from '../../i18n/formats';
import { Progress } from '../../ui/figures/progress';
import { Avatar } from '../../ui/marks';
import { Page, Panel, Section } from '../../ui/page';
import { Loading } from '../../ui/states';
import { Ago, Elapsed } from '../../ui/time';

export type Overview = Answer<'/api/companies/{companyId}/overview'>;
type Run = Overview['running']['runs'][number];

const RunDays = lazy(() => import('./run-days').then(({ RunDays }) => ({ default: RunDays })));

/** What is going on, and what it costs: one answer of the service. */
export function OverviewScreen() {
  const { id: companyId } = useCompany();
  const overview = useRead('/api/companies/{companyId}/overview', { path: { companyId } });
  return (
    <Page title={t('nav.overview')}>
      <Loading of={overview}>
        {(data) => (
          <div className="mx-auto grid max-w-6xl gap-x-8 px-4 py-5 lg:grid-cols-[3fr_2fr]">
            <div>
              <Running overview={data} />
              <Waiting overview={data} />
              <Next overview={data} />
            </div>
            <div>
              <Spend overview={data} />
              <Section title={t('overview.days')}>
                <Suspense fallback={<div className="h-36" />}>
                  <RunDays days={data.days} />
                </Suspense>
              </Section>
              <Failures overview={data} />
            </div>
          </div>
        )}
      </Loading>
    </Page>
  );
}

function Running({ overview: { running } }: { overview: Overview }) {
  return (
    <Section title={t('overview.running')} aside={formatCount(running.total)}>
      {running.runs.length === 0 ? (
        <p className="text-sm text-muted">{t('overview.nothingRuns')}</p>
      ) : (
        <Panel>
          {running.runs.map((run) => (
            <RunRow key={run.id} run={run}>
              {run.startedAt && <Elapsed from={run.startedAt} />}
              {run.lastLogLine && (
                <span className="block truncate font-mono text-xs text-muted">
                  {run.lastLogLine}
                </span>
              )}
            </RunRow>
          ))}
        </Panel>
      )}
    </Section>
  );
}

function RunRow({
  run,
  children,
}: {
  run: Pick<Run, 'id' | 'agentName' | 'issue' | 'reason'>;
  children: React.ReactNode[] | React.ReactNode;
}) {
  const { issuePrefix: company } = useCompany();
  const [time, line] = Array.isArray(children) ? children : [children];
  return (
    <Link
      to="/$company/runs/$run"
      params={{ company, run: run.id }}
      className="block border-b border-line px-4 py-2 last:border-0 hover:bg-hover"
    >
      <span className="flex items-center gap-2.5">
        <Avatar name={run.agentName} />
        <span className="font-medium">{run.agentName}</span>
        <span className="min-w-0 flex-1 truncate text-muted">
          {run.issue ? `${run.issue.identifier} ${run.issue.title}` : run.reason}
        </span>
        <span className="shrink-0 text-sm text-muted">{time}</span>
      </span>
      {line}
    </Link>
  );
}

function Waiting({ overview: { waiting } }: { overview: Overview }) {
  if (waiting.total === 0) return null;
  return (
    <Section title={t('overview.waiting')} aside={formatCount(waiting.total)}>
      <Panel>
        {waiting.runs.map((run) => (
          <RunRow key={run.id} run={run}>
            {word('waitsFor', run.waitsFor)}
          </RunRow>
        ))}
      </Panel>
    </Section>
  );
}

function Next({ overview: { next } }: { overview: Overview }) {
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
            <span className="min-w-0 flex-1 truncate">{firing.title}</span>
            <span className="text-sm text-muted">{firing.agentName}</span>
            <Ago at={firing.nextRunAt} className="text-sm text-muted" />
          </Link>
        ))}
      </Panel>
    </Section>
  );
}

function Spend({ overview: { spend } }: { overview: Overview }) {
  const { issuePrefix: company } = useCompany();
  const tone = spend.alert === 'hard' ? 'bad' : spend.alert === 'soft' ? 'warn' : 'accent';
  return (
    <Section
      title={t('overview.spend')}
      aside={
        <Link to="/$company/costs" params={{ company }} className="text-accent hover:underline">
          {t('nav.costs')}
        </Link>
      }
    >
      <Panel className="grid grid-cols-2 gap-4 p-4">
        <Figure label={t('overview.today')}>{formatCents(spend.today.spendCents)}</Figure>
        <Figure label={t('overview.month', { month: spend.month })}>
          {formatCents(spend.spendCents)}
        </Figure>
        <div className="col-span-2">
          {spend.unlimited ? (
            <p className="text-sm text-muted">{t('overview.unlimited')}</p>
          ) : (
            <>
              <Progress
                done={spend.spendCents}
                total={spend.budgetCents}
                tone={tone}
                label={t('overview.ofBudget', { budget: formatCents(spend.budgetCents) })}
              />
              {spend.endsOn && (
                <p className="mt-1.5 text-sm text-muted">
                  {t('overview.endsOn', { day: formatDate(spend.endsOn) })}
                </p>
              )}
            </>
          )}
        </div>
      </Panel>
    </Section>
  );
}

export function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <p className="text-sm text-muted">{label}</p>
      <p className="text-xl font-semibold">{children}</p>
    </div>
  );
}

function Failures({ overview: { failures } }: { overview: Overview }) {
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
              <span className="text-sm text-bad">{t('overview.times', { count })}</span>
            </span>
            {last && (
              <span className="block truncate text-sm text-muted">
                {last.agentName} · {last.error}
              </span>
            )}
          </Link>
        ))}
      </Panel>
    </Section>
  );
}
