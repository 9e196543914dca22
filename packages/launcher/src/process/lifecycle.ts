import { once } from 'node:events';
import { notice, printFailure, say } from '@switchyard/bootstrap/terminal';

export interface Lifecycle {
  stop: AbortSignal;
  now: AbortSignal;
  abort: () => void;
  onEnd: (end: () => unknown) => void;
}

export async function withLifecycle(
  work: (life: Lifecycle) => Promise<number | undefined>,
  { interruptedCode }: { interruptedCode: number },
): Promise<number> {
  const { life, state, end } = newLifecycle();
  let code: number;
  try {
    code = (await work(life)) ?? 0;
  } catch (error) {
    code = 1;
    printFailure(error);
  }
  await end();
  if (state.isInterrupted) {
    say('Stopped.');
    code = interruptedCode;
  }
  return state.isBroken ? 1 : code;
}

/**
 * npm forwards a signal that the whole process group has already received. Two signals within this
 * time in ms count as one request.
 */
const SAME_REQUEST_MS = 1000;

function newLifecycle() {
  const stop = new AbortController();
  const now = new AbortController();
  const ends: (() => unknown)[] = [];
  const state = { isInterrupted: false, isBroken: false };
  let endingSince: number | undefined;
  const onSignal = () => {
    if (endingSince === undefined) {
      endingSince = performance.now();
      state.isInterrupted = true;
      say('\nStopping … (Ctrl-C again: stop immediately)');
      stop.abort();
    } else if (performance.now() - endingSince > SAME_REQUEST_MS && !now.signal.aborted) {
      notice('stopping immediately');
      now.abort();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  process.on('uncaughtException', (error) => {
    state.isBroken = true;
    printFailure(error);
    stop.abort();
  });
  // Ignores errors of the streams, because shutdown must run in order when the terminal is closed.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const life: Lifecycle = {
    stop: stop.signal,
    now: now.signal,
    abort: () => stop.abort(),
    onEnd: (end) => ends.push(end),
  };
  const end = async () => {
    endingSince ??= performance.now();
    stop.abort();
    for (const each of ends.toReversed()) await Promise.resolve().then(each).catch(printFailure);
  };
  return { life, state, end };
}

export async function together<Tasks extends readonly unknown[]>(
  life: Lifecycle,
  tasks: readonly [...Tasks],
): Promise<{ -readonly [Index in keyof Tasks]: Awaited<Tasks[Index]> }> {
  const all = Promise.all(tasks);
  all.catch(() => life.abort());
  await Promise.allSettled(tasks);
  return all;
}

export async function untilStopped({ stop }: Lifecycle): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort');
}
