/** How many times what it leaves free one holder may have. */
const TIMES_FREE = 3;

/**
 * Whether one of many holders may take one more place of a pool: while it has less than three times what
 * is free. Alone it gets three quarters of the pool, or all but one place of a pool below four; with n
 * greedy holders a part of 1/(1 + 3n) stays free, so that who has nothing yet finds a place; and nothing
 * is ever taken away again. Places that a fixed reserve would keep empty grow into use as holders come.
 */
export function mayTake(held: number, free: number, capacity: number): boolean {
  if (free < 1) return false;
  return held === 0 || held < Math.min(TIMES_FREE, capacity - 1) * free;
}
