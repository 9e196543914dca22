import type { Flow } from '../risk/drawdown';

export interface AccountFlow extends Flow {
  exchange: string;
  asset: string;
  amount: string;
}

const LONGEST_MOVE_MS = 24 * 3_600_000;
/** Exchanges date one move differently. */
const CLOCK_ERROR_MS = 600_000;

/**
 * Leaves out moves between own accounts: a withdrawal and a deposit of the same amount of an asset in another account
 * within a day. A move that is on its way at one of `points` stays, because equity lacks it there.
 */
export function withoutMoves(
  flows: readonly AccountFlow[],
  points: readonly { at: Date }[],
): AccountFlow[] {
  const moved = new Set<AccountFlow>();
  const pointOf = ({ shown_at }: Flow) => points.findIndex(({ at }) => at >= shown_at);
  for (const out of flows.filter(({ type }) => type === 'withdrawal')) {
    const arrived = flows.find((flow) => !moved.has(flow) && isArrivalOf(out, flow));
    if (arrived && pointOf(out) === pointOf(arrived)) moved.add(out).add(arrived);
  }
  return flows.filter((flow) => !moved.has(flow));
}

function isArrivalOf(out: AccountFlow, { exchange, type, asset, amount, shown_at }: AccountFlow) {
  const tookMs = shown_at.getTime() - out.shown_at.getTime();
  return (
    type === 'deposit' &&
    exchange !== out.exchange &&
    asset === out.asset &&
    Number(amount) === Number(out.amount) &&
    tookMs >= -CLOCK_ERROR_MS &&
    tookMs <= LONGEST_MOVE_MS
  );
}
