import { Link, useParams } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { LogView } from '../../ui/log-view/log-view';
import { StatusMark, Tag } from '../../ui/marks';
import { Page } from '../../ui/page';
import { Loading, Skeleton } from '../../ui/states';
import { nameOfRun } from '../runs/run-name';
import type { Run } from './run';
import { RunActions } from './run-actions';
import { RunError } from './run-error';
import { RunFacts } from './run-facts';
import { RunTimeline } from './run-timeline';
import { RunWakes } from './run-wakes';

export function RunScreen() {
  const { run: runId } = useParams({ from: '/$company/runs/$run' });
  const run = useRead('/api/heartbeat-runs/{runId}', { path: { runId } });
  return (
    <Loading of={run} skeleton={<Page title={t('run.title')}>{<Skeleton />}</Page>}>
      {(data) => <LoadedRun key={runId} run={data} />}
    </Loading>
  );
}

function LoadedRun({ run }: { run: Run }) {
  const isLive = run.status === 'running' || run.status === 'queued';
  return (
    <Page
      title={nameOfRun(run)}
      aside={
        <span className="flex items-center gap-2.5">
          <StatusMark of="run" status={run.status} isLabelled />
          {run.attempt > 1 && <Tag>{t('run.attempt', { attempt: run.attempt })}</Tag>}
          <IssueLink run={run} />
        </span>
      }
      actions={<RunActions run={run} />}
    >
      <div className="grid grid-cols-1 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        <div className="flex flex-col gap-6 px-4 py-4">
          <RunError run={run} />
          <RunTimeline run={run} />
        </div>
        <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:border-l lg:border-line">
          <LogView
            runId={run.id}
            written={run.logBytes}
            isLive={isLive}
            startsAt={run.status === 'succeeded' ? 'start' : 'end'}
            hasTranscript={CODING_AGENT.test(run.adapterType)}
            className="h-[70dvh] max-lg:border-y max-lg:border-line lg:sticky lg:top-0 lg:h-[calc(100dvh-49px)]"
          />
        </div>
        <div className="flex flex-col gap-6 px-4 py-4 lg:pt-0">
          <RunFacts run={run} />
          <RunWakes run={run} />
        </div>
      </div>
    </Page>
  );
}

const CODING_AGENT = /^(?:model_[abc]_local|claude_code|codex|opencode)$/;

function IssueLink({ run: { issue } }: { run: Run }) {
  const { issuePrefix: company } = useCompany();
  if (!issue) return null;
  return (
    <Link
      to="/$company/issues/$issue"
      params={{ company, issue: issue.identifier }}
      className="text-accent hover:underline"
    >
      {issue.identifier}
    </Link>
  );
}
