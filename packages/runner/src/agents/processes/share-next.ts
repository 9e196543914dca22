/** A call during `work` waits for the next execution, so that no result is older than its call. */
export function shareNext<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  const run = (): Promise<T> => {
    const begun = work().finally(() => {
      if (running === begun) running = null;
    });
    running = begun;
    return begun;
  };

  return () => {
    if (next) return next;
    if (!running) return run();
    next = running.then(startNext, startNext);
    return next;
  };

  function startNext(): Promise<T> {
    next = null;
    return run();
  }
}
