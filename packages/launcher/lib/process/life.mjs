import { printFailure } from '../terminal/failure.mjs';
import { notice, say } from '../terminal/steps.mjs';

/** npm forwards the signal that its whole group has already received: within this time it is one request. */
const SAME_REQUEST_MS = 1000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export const ORDER = { services: 0, redis: 1, postgres: 2, folders: 3, lock: 4 };

/** `stop` asks for the ordered end, `now` for the quick one; what was started is ended in ORDER, once. */
export function newLife() {
  const stop = new AbortController();
  const now = new AbortController();
  const ends = [];
  let askedAt;
  let asked = false;
  const onSignal = () => {
    const at = performance.now();
    if (askedAt === undefined) {
      askedAt = at;
      asked = true;
      say('\nStopping … (Ctrl-C again: at once)');
      stop.abort();
    } else if (at - askedAt > SAME_REQUEST_MS && !now.signal.aborted) {
      notice('stopping at once');
      now.abort();
    }
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const defects = [];
  const onDefect = (error) => {
    defects.push(error);
    printFailure(error);
    stop.abort();
  };
  // Even a defect of the launcher must end what it started.
  process.on('uncaughtException', onDefect);
  // A closed terminal takes its streams along; the end must still be run in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    stop: stop.signal,
    now: now.signal,
    asked: () => asked,
    isBroken: () => defects.length > 0,
    abort: () => stop.abort(),
    onEnd: (order, end) => ends.push({ order, end }),
    async end() {
      askedAt ??= performance.now();
      stop.abort();
      for (const order of Object.values(ORDER)) {
        const due = ends.filter((each) => each.order === order);
        const outcomes = await Promise.allSettled(due.map((each) => each.end()));
        for (const { reason } of outcomes) if (reason) printFailure(reason);
      }
    },
  };
}

/** Side by side; the first failure stops the others, and all have ended before it is thrown. */
export async function together(life, tasks) {
  const failures = [];
  const watched = tasks.map((task) =>
    task.catch((error) => {
      failures.push(error);
      life.abort();
    }),
  );
  const outcomes = await Promise.all(watched);
  if (failures.length > 0) throw failures[0];
  return outcomes;
}

export const untilStopped = (life) =>
  new Promise((resolve) => {
    if (life.stop.aborted) resolve();
    else life.stop.addEventListener('abort', resolve, { once: true });
  });

/** Runs the work, ends everything that it started, and leaves with its exit code. */
export async function live(work, { interruptedCode = 0 } = {}) {
  const life = newLife();
  let code;
  try {
    code = (await work(life)) ?? 0;
  } catch (error) {
    code = 1;
    if (error?.name !== 'AbortError') printFailure(error);
  }
  await life.end();
  if (life.asked()) {
    say('Stopped.');
    code = interruptedCode;
  }
  if (life.isBroken()) code = 1;
  process.exit(code);
}
