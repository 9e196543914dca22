const ABORTED = Symbol('aborted');

/**
 * Waits for `work`, until `signal` is aborted. After that the result is what `onAbort` returns or throws, by
 * default the signal's reason is thrown. The work itself goes on, and a later rejection of it is ignored.
 */
export async function untilAborted<T, Aborted = never>(
  work: Promise<T>,
  signal: AbortSignal,
  onAbort: () => Aborted | Promise<Aborted> = () => throwReason(signal),
): Promise<T | Aborted> {
  let stop = () => {};
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    stop = () => resolve(ABORTED);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    // An aborted signal comes first in the race, so that it wins over work that has ended meanwhile.
    const first = await Promise.race([aborted, work]);
    return first === ABORTED ? await onAbort() : first;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function throwReason(signal: AbortSignal): never {
  throw signal.reason;
}
