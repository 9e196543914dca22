export interface Turns {
  /**
   * Waits until every turn before is over, or past its own deadline.
   * @returns what ends the turn
   * @throws what aborted `deadline`, when that was before the turn came
   */
  take(deadline: AbortSignal): Promise<() => void>;
}

export function createTurns(): Turns {
  let last = Promise.resolve();
  return {
    take: async (deadline) => {
      const before = last;
      let end = () => {};
      last = new Promise((resolve) => {
        end = resolve;
      });
      await before;
      if (deadline.aborted) {
        end();
        throw deadline.reason;
      }
      deadline.addEventListener('abort', end, { once: true });
      return () => {
        deadline.removeEventListener('abort', end);
        end();
      };
    },
  };
}
