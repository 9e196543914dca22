import { inTransaction } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { HeartbeatRunView, InvokeHeartbeatBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { assertSelfOrBoard } from '../../access/rules';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { admitWake } from './admit-wake';
import { presentRun } from './present-run';

/**
 * Wakes an agent by hand; answers the run that will serve the wake (contract, "Heartbeat run").
 * @throws Refusal 403 for another agent, 409 `not_invokable` with the reason
 */
export async function invokeHeartbeat(
  effects: Effects,
  scope: Scope,
  agentId: string,
  body: InvokeHeartbeatBody,
): Promise<HeartbeatRunView> {
  assertSelfOrBoard(scope, agentId);
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    const admission = await admitWake(effects.hints, tx, {
      agentId,
      source: 'manual',
      reason: body.reason ?? null,
      issueId: body.issueId ?? null,
      payload: body.payload ?? null,
    });
    if (admission.outcome === 'skipped') {
      throw conflict('not_invokable', 'the agent cannot be woken now', {
        agentId,
        reason: admission.reason,
        retry: false,
      });
    }
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'heartbeat.invoked',
      entityType: 'heartbeat_run',
      entityId: admission.run.id,
      details: { agentId, outcome: admission.outcome, reason: body.reason ?? null },
    });
    return presentRun(admission.run);
  });
}
