import { invalidField } from '@switchyard/server';
import { RUNNER_PROTOCOL, type RunnerHelloBody, type RunnerWelcome } from '@switchyard/types';
import type { RunnerActor } from '../../kernel/actor';
import { inTransaction } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { enterInstance } from '../../state/runners/instances';
import { recordProbes } from '../checks/probe-adapters';
import { type RunnerCall, refusePods } from './runner-call';

export async function sayHello(call: RunnerCall, body: RunnerHelloBody): Promise<RunnerWelcome> {
  const { actor, context } = call;
  refusePods(actor);
  const labels = labelsOf(actor, body.labels);
  await inTransaction(call, (tx) => enterInstance(tx, actor, { ...body, labels }));
  if (actor.runnerId === null) await recordProbes(context, body.name, body.probes);
  return welcomeOf(context);
}

export function welcomeOf({ config }: Pick<Context, 'config'>): RunnerWelcome {
  const { leaseMs } = config.runner;
  const heartbeatMs = Math.min(HEARTBEAT_MS, Math.ceil(leaseMs / 3));
  return { protocol: RUNNER_PROTOCOL, leaseMs, heartbeatMs };
}

const HEARTBEAT_MS = 1_000;

function labelsOf({ labels: given }: RunnerActor, named: string[]): string[] {
  if (given === null) return named;
  const other = named.find((label) => !given.includes(label));
  if (other !== undefined) {
    throw invalidField(
      'labels',
      `must be labels that the board assigned to this runner, and ${other} is not one of them`,
    );
  }
  return named.length > 0 ? named : given;
}
