import { notFound } from '@switchyard/server';
import type { HeartbeatRunView } from '@switchyard/types';
import type { Call } from '../../call';
import { readRun } from '../../state/runs/runs';
import { presentRun } from './present-run';

export async function getRun(call: Call, runId: string): Promise<HeartbeatRunView> {
  const run = await readRun(call.db, runId);
  if (!run) throw notFound('heartbeat run');
  return presentRun(run);
}
