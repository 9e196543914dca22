import { CANCELLABLE, type CancelledRunsView, type CancelRunsBody } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { cancelRun } from '../cancel-run';
import { changeRuns } from './change-runs';

export async function cancelRuns(call: Call, body: CancelRunsBody): Promise<CancelledRunsView> {
  const filter = { status: [...CANCELLABLE], ...body.filter };
  const { done, ...rest } = await changeRuns(call, body, filter, async (runId) => {
    const { status } = await cancelRun(call, runId);
    return { done: { runId, status } };
  });
  return { cancelled: done, ...rest };
}
