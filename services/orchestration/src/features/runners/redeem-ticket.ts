import type { RedeemedTicketView, RedeemTicketBody } from '@switchyard/types';
import { hashToken } from '../../access/sign-in/tokens';
import { staleTicket } from '../../state/runs/claims/held-runs';
import { readPodClaim, redeemTicket as redeem } from '../../state/runs/claims/pod-claims';
import { POD_INSTANCE } from '../../state/runs/claims/pod-instance';
import { assignRun } from './assign-run';
import type { RunnerCall } from './runner-call';
import { welcomeOf } from './say-hello';

export async function redeemTicket(
  { actor, context, db }: RunnerCall,
  { key }: RedeemTicketBody,
): Promise<RedeemedTicketView> {
  const { pod } = actor;
  const welcome = welcomeOf(context);
  if (!pod) throw staleTicket();
  const { runId, epoch } = pod;
  if (!pod.isRedeemed) {
    const keyHash = hashToken(key);
    const exchange = { runId, epoch, ticketHash: pod.hash, keyHash, leaseMs: welcome.leaseMs };
    if (!(await redeem(db, exchange))) throw staleTicket();
  }
  const run = await readPodClaim(db, { runId, epoch });
  const apiUrl = context.config.agentApiUrl;
  const assignment = run && (await assignRun(context, run, { ticket: key, apiUrl }));
  if (!assignment) throw staleTicket();
  return { ...welcome, instance: POD_INSTANCE, assignment };
}
