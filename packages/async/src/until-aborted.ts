const ABORTED = Symbol('aborted');

/**
 * Returns the result of `work`. If `signal` is aborted first, calls `onAbort`, which by default
 * throws the abort reason. The work then continues, and a later rejection is ignored.
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
    const first = await Promise.race([aborted, work]);
    return first === ABORTED ? await onAbort() : first;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function throwReason(signal: AbortSignal): never {
  throw signal.reason;
}
