import type { HeartbeatRunView } from '@switchyard/types';
import type { RunRow } from '../../state/runs/runs';

export function presentRun(run: RunRow): HeartbeatRunView {
  const { inputTokens, outputTokens, costCents, unpricedEvents, ...shown } = run;
  return {
    ...shown,
    status: run.status as HeartbeatRunView['status'],
    source: run.source as HeartbeatRunView['source'],
    usage: { inputTokens, outputTokens, costCents, unpricedEvents },
  };
}
