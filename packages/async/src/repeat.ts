export interface Loop {
  runNow(): void;
  close(): Promise<void>;
}

/**
 * Runs `round` repeatedly, one at a time; the first round starts immediately or after `firstMs`. A
 * round returns the milliseconds until the next one, or null to end the loop, and must not reject.
 * A round must call the `runNow` that it receives, not the loop's, because the first round may
 * start before `repeat` returns.
 */
export function repeat(
  round: (closing: AbortSignal, runNow: () => void) => Promise<number | null>,
  { firstMs }: { firstMs?: number } = {},
): Loop {
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;
  let runAgain = false;
  let ended = false;

  const begin = () => {
    underWay = round(closing.signal, runNow).then((pauseMs) => {
      underWay = null;
      ended = pauseMs === null;
      plan(runAgain ? 0 : (pauseMs ?? 0));
      runAgain = false;
    });
  };
  const plan = (ms: number) => {
    clearTimeout(timer);
    if (!ended && !closing.signal.aborted) timer = setTimeout(begin, ms);
  };

  const runNow = () => {
    if (underWay) runAgain = true;
    else plan(0);
  };

  if (firstMs === undefined) begin();
  else plan(firstMs);
  return {
    runNow,
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await underWay;
    },
  };
}
