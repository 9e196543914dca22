/** Why a run is ended from outside, the first reason wins. `defect` is an error of our own code, to be rethrown. */
export type EndReason =
  | { kind: 'abort' }
  | { kind: 'timeout' }
  | { kind: 'silence' }
  | { kind: 'defect'; error: unknown };

export interface RunLimits {
  /** Resolves when a limit is reached; never rejects. */
  reached: Promise<EndReason>;
  reason(): EndReason | null;
  /** Restarts the silence limit. */
  heard(): void;
  fail(error: unknown): void;
  /** Leaves no timer and no listener behind. */
  release(): void;
}

/** Watches the abort signal, the duration and the silence of one run; times in milliseconds. */
export function watchLimits(
  signal: AbortSignal,
  limits: { timeoutMs: number; silenceMs?: number },
): RunLimits {
  let first: EndReason | null = null;
  let resolve: (reason: EndReason) => void = () => {};
  const reached = new Promise<EndReason>((done) => {
    resolve = done;
  });

  function end(reason: EndReason): void {
    first ??= reason;
    resolve(first);
  }

  const onAbort = () => end({ kind: 'abort' });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timeout = setTimeout(() => end({ kind: 'timeout' }), limits.timeoutMs);

  let silent = false;
  let silence: NodeJS.Timeout | undefined;
  if (limits.silenceMs !== undefined) {
    silence = setTimeout(() => {
      // A worker that stood still itself first reads what arrived meanwhile: timers fire before input.
      silent = true;
      setImmediate(() => silent && end({ kind: 'silence' }));
    }, limits.silenceMs);
  }

  return {
    reached,
    reason: () => first,
    heard() {
      silent = false;
      silence?.refresh();
    },
    fail: (error) => end({ kind: 'defect', error }),
    release() {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(timeout);
      clearTimeout(silence);
      silent = false;
    },
  };
}
