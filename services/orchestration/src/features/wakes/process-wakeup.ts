import type { RunSource } from '@switchyard/types';
import { systemCall } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { withJobContext } from '../../kernel/with-job-context';
import { admitWakeup } from '../../state/wakeups/admit-wakeup';
import { findPendingWakeup } from '../../state/wakeups/wakeups';

/**
 * The `mention-wakeups` job. Joins the agent's waiting run or creates one. Locks the agent, because
 * a concurrent pause cannot see the uncommitted wake and would not cancel its run. Duplicate and
 * late hints are harmless.
 */
export async function processWakeup(context: Context, wakeupId: string): Promise<void> {
  const wakeup = await findPendingWakeup(context.db, wakeupId);
  if (!wakeup) return;
  const wake = { ...wakeup, source: wakeup.source as RunSource, at: wakeup.createdAt };
  await withJobContext('mention-wakeups', wakeup, () =>
    admitWakeup(systemCall(context, wakeup.companyId), wake),
  );
}
