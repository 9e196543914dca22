import { SYSTEM } from '../../access/actor';
import type { Tx } from '../../call';
import { recordActivities } from '../activity';
import { skipWakeup } from './wakeups';

interface Skipped {
  id: string;
  companyId: string;
  agentId: string;
  source: string;
  issueId: string | null;
  commentId: string | null;
}

/** Recorded as an activity, because what wakes, e.g. a comment, is answered as if it had. */
export async function skipProcessed(tx: Tx, wakeup: Skipped, reason: string): Promise<void> {
  await skipWakeup(tx, wakeup.id, reason);
  const { agentId: entityId, companyId, source, issueId, commentId } = wakeup;
  const details = { reason, source, issueId, commentId };
  const what = { action: 'wakeup.skipped', entityType: 'agent', entityId, details };
  await recordActivities(tx, [{ companyId, actor: SYSTEM, ...what }]);
}
