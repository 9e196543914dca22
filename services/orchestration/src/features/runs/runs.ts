import { notFound } from '@switchyard/server';
import type { HeartbeatRunDetailView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { readRunDetail } from '../../state/runs/runs';
import { wakesOf } from '../../state/runs/wakes';
import { presentRun } from './present-run';

export async function getRun(call: Call, runId: string): Promise<HeartbeatRunDetailView> {
  const { maxRunningRunsPerCompany: maxRunning } = call.context.config;
  const found = await readRunDetail(call.db, { runId, maxRunning });
  if (!found) throw notFound('heartbeat run');
  const { wakeIssues, ...run } = found;
  const shown = presentRun(run);
  const reason = shown.wakeReasons[0]?.reason ?? shown.source;
  return { ...shown, wakes: wakesOf(found), reason } as HeartbeatRunDetailView;
}
