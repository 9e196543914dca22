import { conflict, forbidden, notFound } from '@switchyard/server';
import type { FinishRunBody, HeartbeatRunView } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { lockCompany } from '../../state/companies/lock-company';
import { recordUsage } from '../../state/costs/record-usage';
import { endRun } from '../../state/runs/end-run';
import { appendRunLog } from '../../state/runs/run-log';
import { type FinishableRun, lockFinishable, readRun } from '../../state/runs/runs';
import { presentRun } from './present-run';

export async function finishRun(
  call: Call,
  runId: string,
  body: FinishRunBody,
): Promise<HeartbeatRunView> {
  assertOwnToken(call, runId);
  return inTransaction(call, async (tx) => {
    const named = await readRun(tx, runId);
    if (!named) throw notFound('heartbeat run');
    assertSelfOrBoard(call, named.agentId, 'an agent may only finish its own runs');
    // The company's lock must precede the agent's.
    if (body.usage) await lockCompany(tx, named.companyId);
    await lockAgent(tx, named.agentId);
    const run = await lockFinishable(tx, runId);
    assertFinishable(tx, run);
    await storeReport(tx, run, body);
    const { status, error } = body;
    await endRun(tx, run, {
      status,
      exitCode: null,
      ...(status === 'failed' && { errorCode: 'agent_failed', error }),
    });
    return presentRun((await readRun(tx, runId)) ?? named);
  });
}

function assertOwnToken({ actor, runId: own }: Call, runId: string): void {
  if (actor.type !== 'agent' || actor.via !== 'run_token' || own === runId.toLowerCase()) return;
  throw forbidden('not_own', 'a run token may only finish its own run');
}

function assertFinishable({ context }: Tx, run: FinishableRun): void {
  const { status, adapterType, isDetached } = run;
  const refuse = (message: string) => conflict('conflict', message, { status, retry: false });
  if (status === 'queued') throw refuse('the run has not started');
  if (status !== 'running') throw refuse(`the run has already ended with status ${status}`);
  if (isDetached || context.adapters.get(adapterType)?.isRemote) return;
  throw refuse(
    `a run of the adapter ${adapterType} ends with its process and cannot be finished by a call`,
  );
}

async function storeReport(
  tx: Tx,
  run: FinishableRun,
  { summary, usage }: FinishRunBody,
): Promise<void> {
  if (summary) await appendRunLog(tx, run, Buffer.from(`${summary}\n`));
  if (!usage) return;
  const source = tx.actor.type === 'agent' ? 'agent' : 'board';
  await recordUsage(tx, run, { ...usage, costCents: usage.costCents ?? null }, source);
}
