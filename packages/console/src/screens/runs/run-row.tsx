import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { plainText } from '../../ui/log-view/ansi';
import { Avatar, StatusMark } from '../../ui/marks';
import { Ago, Elapsed } from '../../ui/time';
import { nameOfRun, reasonOf } from './run-name';

export type ListedRun = Schemas['ListedRun'];

interface RunRowProps {
  run: ListedRun;
  mark?: { isOn: boolean; toggle: () => void };
}

export function RunRow({ run, mark }: RunRowProps) {
  const { issuePrefix: company } = useCompany();
  return (
    <div className="flex h-full items-center gap-3 px-4 max-md:flex-wrap max-md:gap-x-2.5 max-md:gap-y-0 max-md:py-2">
      {mark && (
        <label className="-mx-2 flex size-7 shrink-0 items-center justify-center">
          <input
            type="checkbox"
            aria-label={`${t('runs.mark')}: ${nameOfRun(run)}`}
            checked={mark.isOn}
            onChange={mark.toggle}
            className="size-4 accent-accent-fill"
          />
        </label>
      )}
      <StatusMark of="run" status={run.status} />
      <Link
        to="/$company/runs/$run"
        params={{ company, run: run.id }}
        className="flex min-h-6 min-w-0 flex-1 items-baseline gap-2 max-md:basis-[calc(100%-5rem)]"
      >
        {run.issue && (
          <span className="shrink-0 text-sm text-muted max-lg:hidden">{run.issue.identifier}</span>
        )}
        <span className="truncate font-medium">{nameOfRun(run)}</span>
        <Said run={run} />
      </Link>
      <span className="contents max-md:flex max-md:basis-full max-md:items-center max-md:gap-2.5">
        <span className="flex w-36 shrink-0 items-center gap-2 text-sm max-md:w-auto max-md:min-w-0 max-md:flex-1">
          <Avatar name={run.agentName} size={18} />
          <span className="truncate">{run.agentName}</span>
        </span>
        <span className="w-24 shrink-0 truncate text-sm text-muted max-xl:hidden">
          {word('runSource', run.source)}
        </span>
        <span className="w-20 shrink-0 text-right text-sm text-muted max-md:w-auto">
          {run.startedAt ? (
            <Elapsed from={run.startedAt} to={run.finishedAt} />
          ) : (
            run.status === 'queued' && t('runs.queuedFor')
          )}
        </span>
        <span className="w-16 shrink-0 text-right text-sm text-muted max-md:hidden">
          {run.usage.costCents > 0 && formatCents(run.usage.costCents)}
        </span>
        <Ago
          at={run.startedAt ?? run.createdAt}
          className="w-20 shrink-0 text-right text-sm whitespace-nowrap text-muted max-md:w-auto"
        />
      </span>
    </div>
  );
}

function Said({ run }: { run: ListedRun }) {
  if (run.status === 'running' && run.lastLogLine) {
    return (
      <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted max-md:hidden">
        {plainText(run.lastLogLine)}
      </span>
    );
  }
  if (run.errorCode && run.status !== 'succeeded') {
    const isCancelled = run.status === 'cancelled';
    return (
      <span
        title={run.error ?? undefined}
        className={`min-w-0 flex-1 truncate text-sm max-md:hidden ${isCancelled ? 'text-muted' : 'text-bad'}`}
      >
        {word('errorCode', run.errorCode)}
        {run.error && ` · ${run.error}`}
      </span>
    );
  }
  return (
    <span className="min-w-0 flex-1 truncate text-sm text-muted max-md:hidden">
      {run.issue && reasonOf(run)}
    </span>
  );
}
