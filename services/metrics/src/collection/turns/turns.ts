export interface Turns {
  /**
   * Waits until every earlier turn has ended or passed its deadline.
   * @returns a function that ends the turn
   * @throws the abort reason of `deadline` if it aborts before the turn starts
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
