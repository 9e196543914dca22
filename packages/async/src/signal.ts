import { withTimeout } from './with-timeout';

export interface Signal {
  notify(): void;
  wait(ms: number): Promise<boolean>;
}

export function createSignal(): Signal {
  let notified = false;
  let wake = () => {};
  return {
    notify: () => {
      notified = true;
      wake();
    },
    wait: async (ms) => {
      if (!notified) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await withTimeout(woken, ms, () => undefined);
      }
      const result = notified;
      notified = false;
      return result;
    },
  };
}
