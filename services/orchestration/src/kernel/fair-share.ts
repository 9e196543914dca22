const TIMES_FREE = 3;

/**
 * A holder may take a slot while it has less than three times the number of free slots. With n
 * greedy holders, 1/(1 + 3n) of the slots stays free for newcomers, and no slot is revoked.
 */
export function mayTake(held: number, free: number, capacity: number): boolean {
  if (free < 1) return false;
  return held === 0 || held < Math.min(TIMES_FREE, capacity - 1) * free;
}
