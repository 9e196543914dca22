import { isId } from '@switchyard/db';
import { forbidden, invalidField, notFound } from '@switchyard/server';
import { RUN_TICKET_HEADER } from '@switchyard/types';
import { hashToken } from '../../access/sign-in/tokens';
import type { RunnerActor } from '../../kernel/actor';
import type { RequestCall } from '../../route';
import { staleTicket, type Ticket } from '../../state/runs/claims/held-runs';

export type RunnerCall = RequestCall<string | null, RunnerActor> & {
  request: Express.Request & { get(name: string): string | undefined };
};

export const callerOf = ({ runnerId }: RunnerActor, instance: string) =>
  `${runnerId ?? 'own'} ${instance}`;

const TICKET = /^[\w-]{20,200}$/;

export function ticketOf(call: RunnerCall, runId: string): Ticket {
  if (!isId(runId)) throw notFound('heartbeat run', 'the path must name it by an id (a UUID)');
  const ticket = call.request.get(RUN_TICKET_HEADER) ?? '';
  if (!TICKET.test(ticket)) {
    throw invalidField(RUN_TICKET_HEADER, 'must be the ticket that was received with the run');
  }
  const { runnerId, pod } = call.actor;
  if (pod && !(pod.isRedeemed && pod.runId === runId.toLowerCase())) {
    throw staleTicket();
  }
  return { runId: runId.toLowerCase(), ticketHash: hashToken(ticket), runnerId };
}

export function refusePods({ pod }: RunnerActor): void {
  if (pod) throw forbidden('forbidden', 'a run pod may only report on its own run');
}
