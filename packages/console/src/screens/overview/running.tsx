import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { useMayWrite } from '../../data/rights';
import { useOpenOverlay } from '../../frame/overlays';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Avatar, StatusMark } from '../../ui/marks';
import { Panel } from '../../ui/page';
import { Elapsed } from '../../ui/time';
import { plainLine } from '../issue/plain-line';
import { reasonOf } from '../runs/run-name';
import type { Overview } from './overview';

type Run = Overview['running']['runs'][number];

export function Running({ overview: { running } }: { overview: Pick<Overview, 'running'> }) {
  if (running.total === 0) return <Nothing />;
  const hidden = running.total - running.runs.length;
  return (
    <Panel>
      <ul>
        {running.runs.map((run) => (
          <RunningRun key={run.id} run={run} />
        ))}
      </ul>
      {hidden > 0 && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          {t('overview.more', { count: hidden })}
        </p>
      )}
    </Panel>
  );
}

function RunningRun({ run }: { run: Run }) {
  const { issuePrefix: company } = useCompany();
  return (
    <li className="relative border-b border-line px-4 py-3 last:border-0 hover:bg-hover">
      <div className="flex items-center gap-2.5">
        <Avatar name={run.agentName} size={24} />
        <Link
          to="/$company/agents/$agent"
          params={{ company, agent: run.agentId }}
          className="relative z-10 inline-flex min-h-6 shrink-0 items-center font-semibold hover:underline"
        >
          {run.agentName}
        </Link>
        <span className="min-w-0 flex-1 truncate max-md:hidden">
          <Task run={run} />
        </span>
        <span className="flex-1 md:hidden" />
        <StatusMark of="run" status="running" />
        {run.startedAt && (
          <Elapsed
            from={run.startedAt}
            className="min-w-20 text-right text-sm whitespace-nowrap text-muted"
          />
        )}
      </div>
      <p className="mt-1 truncate md:hidden">
        <Task run={run} />
      </p>
      <Link
        to="/$company/runs/$run"
        params={{ company, run: run.id }}
        className="mt-1.5 block min-h-6 truncate rounded bg-sunken px-2 py-1 font-mono text-xs text-muted before:absolute before:inset-0"
      >
        <span className="sr-only">{t('overview.openRun', { agent: run.agentName })} </span>
        {run.lastLogLine ? plainLine(run.lastLogLine) : t('overview.noLine')}
      </Link>
    </li>
  );
}

function Task({ run: { issue, reason } }: { run: Pick<Run, 'issue' | 'reason'> }) {
  const { issuePrefix: company } = useCompany();
  if (!issue) return <span className="text-muted">{reasonOf({ reason })}</span>;
  return (
    <Link
      to="/$company/issues/$issue"
      params={{ company, issue: issue.identifier }}
      title={issue.title}
      className="relative z-10 hover:underline"
    >
      <span className="text-muted">{issue.identifier}</span> {issue.title}
    </Link>
  );
}

function Nothing() {
  const mayWrite = useMayWrite();
  const open = useOpenOverlay();
  return (
    <Panel className="flex flex-wrap items-center justify-between gap-3 px-4 py-4">
      <div>
        <p className="font-medium">{t('overview.nothingRuns')}</p>
        <p className="text-sm text-muted">{t('overview.nothingRunsText')}</p>
      </div>
      {mayWrite && <Button onClick={() => open('new-issue')}>{t('key.newIssue')}</Button>}
    </Panel>
  );
}
