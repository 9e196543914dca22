const FIRST_MS = 1000;
const MOST_MS = 30_000;
const STEADY_MS = 60_000;

/** 1 s, 2 s, 4 s … 30 s; begins anew after a minute of steady running. */
export function newBackoff() {
  let failures = 0;
  return {
    next(ranForMs: number): number {
      failures = ranForMs > STEADY_MS ? 1 : failures + 1;
      return Math.min(FIRST_MS * 2 ** (failures - 1), MOST_MS);
    },
  };
}
