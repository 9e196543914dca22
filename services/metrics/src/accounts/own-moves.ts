import type { AccountFlow } from '../risk/read-equity';

const LONGEST_MOVE_MS = 24 * 3_600_000;
const CLOCK_ERROR_MS = 600_000;

/**
 * Removes transfers between own accounts: a withdrawal from one account and a deposit of the same
 * asset and amount in another within a day. Keeps a transfer that is in transit at one of `points`,
 * because equity does not contain its amount at that time.
 */
export function withoutMoves(
  flows: readonly AccountFlow[],
  points: readonly { at: Date }[],
): AccountFlow[] {
  const moved = new Set<AccountFlow>();
  const pointOf = ({ shown_at }: AccountFlow) => points.findIndex(({ at }) => at >= shown_at);
  for (const out of flows.filter(({ type }) => type === 'withdrawal')) {
    const arrived = flows.find((flow) => !moved.has(flow) && isArrivalOf(out, flow));
    if (arrived && pointOf(out) === pointOf(arrived)) moved.add(out).add(arrived);
  }
  return flows.filter((flow) => !moved.has(flow));
}

function isArrivalOf(out: AccountFlow, { exchange, type, asset, amount, counted_at }: AccountFlow) {
  const tookMs = counted_at.getTime() - out.counted_at.getTime();
  return (
    type === 'deposit' &&
    exchange !== out.exchange &&
    asset === out.asset &&
    Number(amount) === Number(out.amount) &&
    tookMs >= -CLOCK_ERROR_MS &&
    tookMs <= LONGEST_MOVE_MS
  );
}
