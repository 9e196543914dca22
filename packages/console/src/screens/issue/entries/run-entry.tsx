import { Link } from '@tanstack/react-router';
import { useCompany } from '../../../data/company';
import { t, word } from '../../../i18n';
import { formatCents, formatCompact } from '../../../i18n/formats';
import { Avatar, StatusMark } from '../../../ui/marks';
import { Elapsed } from '../../../ui/time';
import { plainLine } from '../plain-line';
import { isLive, type ThreadRun } from '../thread';
import { Line } from './line';

export function RunEntry({ run }: { run: ThreadRun }) {
  return isLive(run) ? <LiveRun run={run} /> : <EndedRun run={run} />;
}

function LiveRun({ run }: { run: ThreadRun }) {
  return (
    <article aria-label={t('issue.runBy', { name: run.agentName })} className="flex gap-2.5">
      <Avatar name={run.agentName} size={24} />
      <div className="min-w-0 flex-1 rounded-lg border border-live/40 bg-live-soft px-3 py-2">
        <header className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="font-semibold">{run.agentName}</span>
          <StatusMark of="run" status={run.status} isLabelled />
          {run.startedAt && <Elapsed from={run.startedAt} className="text-muted" />}
          <span className="text-muted">{reasonOf(run)}</span>
          <span className="flex-1" />
          <RunLink run={run}>{t('issue.openLog')}</RunLink>
        </header>
        <p className="mt-1 truncate font-mono text-sm text-muted">
          {run.lastLogLine
            ? plainLine(run.lastLogLine)
            : t(run.status === 'queued' ? 'issue.runWaits' : 'issue.noOutput')}
        </p>
      </div>
    </article>
  );
}

function EndedRun({ run }: { run: ThreadRun }) {
  const { costCents, inputTokens, outputTokens, unpricedEvents } = run.usage;
  const tokens = inputTokens + outputTokens;
  return (
    <Line
      mark={<StatusMark of="run" status={run.status} />}
      at={run.finishedAt ?? run.createdAt}
      below={run.error && <span className="text-bad">{run.error}</span>}
    >
      <span className="font-medium text-text">{run.agentName}</span>
      {': '}
      {word('runStatus', run.status)}
      {run.startedAt && run.finishedAt && (
        <>
          {' · '}
          <Elapsed from={run.startedAt} to={run.finishedAt} />
        </>
      )}
      {' · '}
      {reasonOf(run)}
      {(costCents > 0 || tokens > 0) && (
        <>
          {' · '}
          <span title={unpricedEvents > 0 ? t('issue.unpriced') : undefined}>
            {formatCents(costCents)}
            {unpricedEvents > 0 && '+'}
          </span>
          {tokens > 0 && ` · ${t('issue.tokens', { tokens: formatCompact(tokens) })}`}
        </>
      )}
      {' · '}
      <RunLink run={run}>{t('issue.openLog')}</RunLink>
    </Line>
  );
}

const reasonOf = ({ reason, source, attempt }: ThreadRun): string => {
  const why = reason === source ? word('runSource', source) : reason;
  return attempt > 1 ? `${why} · ${t('issue.attempt', { attempt })}` : why;
};

function RunLink({ run, children }: { run: ThreadRun; children: string }) {
  const { issuePrefix } = useCompany();
  return (
    <Link
      to="/$company/runs/$run"
      params={{ company: issuePrefix, run: run.id }}
      className="text-accent underline hover:no-underline"
    >
      {children}
    </Link>
  );
}
