import { bind, newId, trip } from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import type { Tx } from '../../call';
import { lockAgentRow } from '../agents/lock-agent';
import {
  enqueueRun,
  enqueueWakeup,
  isWaitingRunFull,
  runValues,
  type Wake,
  wokenNow,
} from '../runs/enqueue-run';
import { insertWakeups, recordWakeups } from './record-wakeups';
import { skipProcessed } from './skip-processed';
import { wakeHops } from './wake-hops';
import { admitWakeup } from './wakeups';

type WakeOfRoutine = Required<Pick<Wake, 'agentId' | 'source' | 'payload'>> & {
  reason: string;
  issueId: string;
  routineRunId: string;
};

/**
 * Wakes an agent in the caller's own transaction, which holds no lock that comes after the agent's, and records the wake as
 * `recordWakeups` does. Returns the run that serves it; null when the agent may not be woken, or not yet.
 */
export async function wakeNow(tx: Tx, wake: WakeOfRoutine): Promise<string | null> {
  const hops = await wakeHops(tx);
  const { agentId, payload, ...cause } = wake;
  if (hops > tx.context.config.mentionHopCap) {
    await recordWakeups(tx, { agentIds: [agentId], ...cause, payload: payload ?? {} });
    return null;
  }
  const id = newId();
  const { companyId } = tx;
  const wakeup = { ...cause, commentId: null, payload, companyId, hops, ...presentOrigin() };
  const recorded = bind(insertWakeups, { ...wakeup, ids: [id], agentIds: [agentId] });
  const lock = bind(lockAgentRow, { agentId });
  const enqueued = { ...runValues({ ...wake, hops }), wakeupId: id };
  const [fresh] = await trip(tx, [recorded, lock], enqueueWakeup, enqueued);
  if (fresh) {
    await wokenNow(tx, wake.source, fresh);
    return fresh.id;
  }
  // Nothing is lost: the wake is written down, and admitted once that run has begun.
  if (await isWaitingRunFull(tx, agentId)) return null;
  const admission = await enqueueRun(tx, { ...wake, hops });
  if (admission.outcome === 'skipped') {
    await skipProcessed(tx, { ...wakeup, id, agentId }, admission.reason);
    return null;
  }
  await admitWakeup(tx, id, admission.run.id);
  return admission.run.id;
}
