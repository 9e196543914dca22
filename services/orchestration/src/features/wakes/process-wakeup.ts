import { bind, trip } from '@switchyard/db';
import type { RunSource } from '@switchyard/types';
import { type Call, inTransaction, systemCall } from '../../call';
import type { Context } from '../../context';
import { lockAgent, lockAgentRow } from '../../state/agents/lock-agent';
import {
  enqueueRun,
  enqueueWakeup,
  isWaitingRunFull,
  runValues,
  type Wake,
  wokenNow,
} from '../../state/runs/enqueue-run';
import { skipProcessed } from '../../state/wakeups/skip-processed';
import { admitWakeup, findPendingWakeup } from '../../state/wakeups/wakeups';
import { withJobContext } from '../../work/with-job-context';

type Wakeup = NonNullable<Awaited<ReturnType<typeof findPendingWakeup>>>;

/**
 * The `mention-wakeups` job: a recorded wake joins the agent's waiting run or makes one. Decided under the agent's lock,
 * as pause and terminate are: whether the agent may be woken is asked here again, because a pause cannot see a wake whose
 * transaction has not committed. A wake that was admitted, or skipped by a halt, is left alone, so duplicate and late hints
 * are harmless.
 */
export async function processWakeup(context: Context, wakeupId: string): Promise<void> {
  const wakeup = await findPendingWakeup(context.db, wakeupId);
  if (!wakeup) return;
  await withJobContext('mention-wakeups', wakeup, () =>
    process(systemCall(context, wakeup.companyId), wakeup),
  );
}

async function process(call: Call, wakeup: Wakeup): Promise<void> {
  const wake = { ...wakeup, source: wakeup.source as RunSource, at: wakeup.createdAt };
  if (await processAtOnce(call, wakeup.id, wake)) return;
  await inTransaction(call, async (tx) => {
    await lockAgent(tx, wakeup.agentId);
    if (!(await findPendingWakeup(tx, wakeup.id))) return;
    if (await isWaitingRunFull(tx, wakeup.agentId)) return;
    const admission = await enqueueRun(tx, wake);
    if (admission.outcome === 'skipped') await skipProcessed(tx, wakeup, admission.reason);
    else await admitWakeup(tx, wakeup.id, admission.run.id);
  });
}

/** The common wake, of an agent that may start and has nothing waiting. */
async function processAtOnce(call: Call, wakeupId: string, wake: Wake): Promise<boolean> {
  const lock = bind(lockAgentRow, { agentId: wake.agentId });
  const [run] = await trip(call.db, [lock], enqueueWakeup, { ...runValues(wake), wakeupId });
  if (run) await wokenNow(call, wake.source, run);
  return run !== undefined;
}
