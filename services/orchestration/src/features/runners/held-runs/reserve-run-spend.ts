import type { ReservedSpendView, ReserveSpendBody } from '@switchyard/types';
import { isCapReason, scopeOfCap } from '../../../state/budgets/spend-caps';
import { type Reservation, reserveSpend } from '../../../state/costs/reserve-spend';
import { staleTicket } from '../../../state/runs/claims/held-runs';
import { type RunnerCall, ticketOf } from '../runner-call';

export async function reserveRunSpend(
  call: RunnerCall,
  runId: string,
  body: ReserveSpendBody,
): Promise<ReservedSpendView> {
  const reserved = await reserveSpend(call.db, ticketOf(call, runId), body);
  if (!reserved) throw staleTicket();
  const { cents } = body;
  const { code, waits } = reserved;
  if (code === null) return { outcome: 'reserved', code: null, message: '' };
  if (cents === null) return { outcome: 'refused', code: 'unpriced_model', message: '' };
  const named = code as NonNullable<ReservedSpendView['code']>;
  const message = describe(named, reserved, cents);
  return waits
    ? { outcome: 'waits', code: null, message }
    : { outcome: 'refused', code: named, message };
}

function describe(code: string, reserved: Reservation, cents: number): string {
  const { capCents, spentCents, freeCents } = reserved;
  const { name, until } = nameOf(code, reserved);
  const refused = `provider calls are refused until ${until}`;
  if ((spentCents ?? 0) >= (capCents ?? 0)) return `${name} is spent: ${refused}`;
  const left = Math.max(0, freeCents ?? 0);
  return `${name} has ${left} cents left, and this call can cost ${cents}: ${refused}`;
}

function nameOf(code: string, { capCents, period }: Reservation) {
  if (!isCapReason(code)) {
    const scope = code.slice(0, -'_budget'.length);
    const until = 'it is raised or the month ends';
    return { name: `the ${scope}'s monthly budget of ${capCents} cents`, until };
  }
  const cap = `the ${scopeOfCap(code)}'s spending cap of ${capCents} cents`;
  if (period === 'total') return { name: `${cap} in total`, until: 'it is raised or removed' };
  const until = `it is raised or removed, or the ${period} ends`;
  return { name: `${cap} per ${period}`, until };
}
