import { unwrap } from '@switchyard/client';
import { CircleStop, MessageSquare } from 'lucide-react';
import { api } from '../../../data/api';
import { useSend } from '../../../data/send';
import { t } from '../../../i18n';
import { Button } from '../../../ui/button';
import { StatusMark } from '../../../ui/marks';
import { Elapsed } from '../../../ui/time';
import { plainLine } from '../plain-line';
import type { ThreadRun } from '../thread';

export function LiveBar({ run, onMessage }: { run: ThreadRun; onMessage: () => void }) {
  const stop = useSend(
    (runId: string) =>
      unwrap(api.POST('/api/heartbeat-runs/{runId}/cancel', { params: { path: { runId } } })),
    { optimistic: (id) => ({ id, changes: { status: 'cancelled' } }) },
  );
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-t-lg border-b border-line bg-live-soft px-3 py-1.5 text-sm">
      <StatusMark of="run" status={run.status} />
      <span className="font-medium">{run.agentName}</span>
      {run.startedAt && <Elapsed from={run.startedAt} className="text-muted" />}
      <span className="min-w-0 flex-1 basis-40 truncate font-mono text-muted">
        {run.lastLogLine ? plainLine(run.lastLogLine) : t('issue.noOutput')}
      </span>
      <Button icon={MessageSquare} onClick={onMessage}>
        {t('issue.messageNextRun')}
      </Button>
      <Button
        tone="danger"
        icon={CircleStop}
        isBusy={stop.isPending}
        onClick={() => stop.mutate(run.id)}
      >
        {t('issue.stop')}
      </Button>
    </div>
  );
}
