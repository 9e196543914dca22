export interface FailedSignIns {
  note(userId: string, count?: number): void;
  take(): Map<string, number>;
}

/** Counts in memory, so that guesses do not fill a table and timing does not reveal accounts. */
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
