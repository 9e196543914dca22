import type { RunSource } from '@switchyard/types';
import { systemCall } from '../../call';
import type { Context } from '../../context';
import { admitWakeup } from '../../state/wakeups/admit-wakeup';
import { findPendingWakeup } from '../../state/wakeups/wakeups';
import { withJobContext } from '../../work/with-job-context';

/**
 * The `mention-wakeups` job: a recorded wake joins the agent's waiting run or makes one. Decided under the agent's lock,
 * as pause and terminate are, because a pause cannot see a wake whose transaction has not committed. Duplicate and late
 * hints are harmless.
 */
export async function processWakeup(context: Context, wakeupId: string): Promise<void> {
  const wakeup = await findPendingWakeup(context.db, wakeupId);
  if (!wakeup) return;
  const wake = { ...wakeup, source: wakeup.source as RunSource, at: wakeup.createdAt };
  await withJobContext('mention-wakeups', wakeup, () =>
    admitWakeup(systemCall(context, wakeup.companyId), wake),
  );
}
