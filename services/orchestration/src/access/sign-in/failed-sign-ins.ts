/** How often each account was tried in vain since it was last recorded; only accounts that exist. */
export interface FailedSignIns {
  note(userId: string, count?: number): void;
  take(): Map<string, number>;
}

/**
 * In memory, so that a failure for an account that exists takes as long as one for another, and a guesser
 * fills no table.
 */
export function countFailures(): FailedSignIns {
  let counts = new Map<string, number>();
  return {
    note: (userId, count = 1) => void counts.set(userId, (counts.get(userId) ?? 0) + count),
    take: () => {
      const taken = counts;
      counts = new Map();
      return taken;
    },
  };
}
