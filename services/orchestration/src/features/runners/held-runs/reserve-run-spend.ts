import type { ReservedSpendView, ReserveSpendBody } from '@switchyard/types';
import { type Reservation, reserveSpend } from '../../../state/costs/reserve-spend';
import { staleTicket } from '../../../state/runs/claims/held-runs';
import { type RunnerCall, ticketOf } from '../runner-call';

export async function reserveRunSpend(
  call: RunnerCall,
  runId: string,
  { id, cents }: ReserveSpendBody,
): Promise<ReservedSpendView> {
  const reserved = await reserveSpend(call.db, ticketOf(call, runId), id, cents);
  if (!reserved) throw staleTicket();
  const { code, waits } = reserved;
  if (code === null) return { outcome: 'reserved', code: null, message: '' };
  if (cents === null) return { outcome: 'refused', code: 'unpriced_model', message: '' };
  const named = code as 'agent_budget' | 'company_budget';
  const message = describe(named, reserved, cents);
  return waits
    ? { outcome: 'waits', code: null, message }
    : { outcome: 'refused', code: named, message };
}

const NAMES = {
  agent_budget: "the agent's monthly budget",
  company_budget: "the company's monthly budget",
};

function describe(code: keyof typeof NAMES, reserved: Reservation, cents: number): string {
  const { capCents, spentCents, freeCents } = reserved;
  const budget = `${NAMES[code]} of ${capCents} cents`;
  const until = 'provider calls are refused until it is raised or the month ends';
  if ((spentCents ?? 0) >= (capCents ?? 0)) return `${budget} is spent: ${until}`;
  const left = Math.max(0, freeCents ?? 0);
  return `${budget} has ${left} cents left, and this call can cost ${cents}: ${until}`;
}
