export interface Bell {
  ring(): void;
  /** True when the bell rang, also before the wait began; false when the time was over first. */
  wait(ms: number): Promise<boolean>;
}

/** What one waiter waits for; rung while nobody waits, it ends the next wait at once. */
export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    wait: async (ms) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const answer = rung;
      rung = false;
      wake = undefined;
      return answer;
    },
  };
}
