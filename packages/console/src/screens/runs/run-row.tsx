import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { classNames } from '../../ui/class-names';
import type { Heads } from '../../ui/list-screen';
import { plainText } from '../../ui/log-view/ansi';
import { Avatar, StatusMark } from '../../ui/marks';
import { Ago, Elapsed } from '../../ui/time';
import { nameOfRun, reasonOf } from './run-name';

export type ListedRun = Schemas['ListedRun'];

const CELLS = {
  agent: 'w-36 shrink-0',
  source: 'w-24 shrink-0 max-xl:hidden',
  time: 'w-20 shrink-0 text-right',
  cost: 'w-16 shrink-0 text-right',
};

export const runHeads = (hasMarks: boolean): Heads => [
  ['', hasMarks ? 'w-11' : 'w-4'],
  [t('run.title'), 'flex-1'],
  [t('run.agent'), CELLS.agent],
  [t('run.source'), CELLS.source],
  [t('runs.duration'), CELLS.time],
  [t('run.cost'), CELLS.cost],
  [t('runs.started'), CELLS.time],
];

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
      <span className="contents max-md:flex max-md:min-w-0 max-md:basis-full max-md:items-center max-md:gap-2.5">
        <span
          className={classNames(
            CELLS.agent,
            'flex items-center gap-2 text-sm max-md:w-auto max-md:min-w-0 max-md:flex-1',
          )}
        >
          <Avatar name={run.agentName} size={18} />
          <span className="truncate">{run.agentName}</span>
        </span>
        <span className={classNames(CELLS.source, 'truncate text-sm text-muted')}>
          {word('runSource', run.source)}
        </span>
        <span className={classNames(CELLS.time, 'text-sm text-muted max-md:w-auto')}>
          {run.startedAt ? (
            <Elapsed from={run.startedAt} to={run.finishedAt} />
          ) : (
            run.status === 'queued' && t('runs.queuedFor')
          )}
        </span>
        <span className={classNames(CELLS.cost, 'text-sm text-muted max-md:hidden')}>
          {run.usage.costCents > 0 && formatCents(run.usage.costCents)}
        </span>
        <Ago
          at={run.startedAt ?? run.createdAt}
          className={classNames(CELLS.time, 'text-sm whitespace-nowrap text-muted max-md:w-auto')}
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
      {run.issue && run.reason !== run.source && run.reason !== run.issue.title && reasonOf(run)}
    </span>
  );
}
