export interface FailedSignIns {
  note(userId: string, count?: number): void;
  take(): Map<string, number>;
}

/** In memory, so that timing does not show whether an account exists, and guesses fill no table. */
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
