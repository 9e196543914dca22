export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

const LATE = Symbol('late');

/**
 * Returns the result of `work`. After `ms`, calls `onTimeout` instead, which by default throws a
 * TimeoutError. The work then continues, and a later rejection is ignored.
 */
export async function withTimeout<T, Late = never>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => Late | Promise<Late> = throwTimeout,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, ms, LATE);
  });
  try {
    const first = await Promise.race([work, late]);
    return first === LATE ? await onTimeout() : first;
  } finally {
    clearTimeout(timer);
  }
}

function throwTimeout(): never {
  throw new TimeoutError('the time limit was exceeded');
}
