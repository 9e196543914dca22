export interface Rounds {
  /** Begins no further round and waits for the one under way. */
  close(): Promise<void>;
}

/**
 * Repeats `round`, one after the other, the first at once or after `firstMs`. It answers after how many
 * milliseconds the next one begins, must not reject, and may ask whether it is to end early.
 */
export function startRounds(
  round: (isClosing: () => boolean) => Promise<number>,
  firstMs?: number,
): Rounds {
  let closing = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  const begin = () => {
    underWay = round(() => closing).then(plan);
  };
  const plan = (ms: number) => {
    if (!closing) timer = setTimeout(begin, ms);
  };
  if (firstMs === undefined) begin();
  else plan(firstMs);
  return {
    close: async () => {
      closing = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
