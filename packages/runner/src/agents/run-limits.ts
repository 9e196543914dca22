export type EndReason =
  | { kind: 'abort' }
  | { kind: 'timeout' }
  | { kind: 'silence' }
  | { kind: 'defect'; error: unknown };

export interface RunLimits {
  reached: Promise<EndReason>;
  reason(): EndReason | null;
  restartSilence(): void;
  fail(error: unknown): void;
  release(): void;
}

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
      // Node.js runs timers before it reads input. After a stall of the runner itself, pending
      // output is read before the agent counts as silent.
      silent = true;
      setImmediate(() => silent && end({ kind: 'silence' }));
    }, limits.silenceMs);
  }

  return {
    reached,
    reason: () => first,
    restartSilence() {
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
