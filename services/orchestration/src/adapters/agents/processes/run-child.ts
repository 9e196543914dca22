import type { AdapterOutcome, AdapterRun } from '../agent-adapter';
import { gateOutput } from '../output/gated-output';
import { type EndReason, type RunLimits, watchLimits } from '../run-limits';
import { endProcesses } from './end-processes';
import { identifyProcess } from './process-identity';
import { type Child, type ChildCommand, refuseFolder, spawnChild } from './spawn-child';

export interface ChildLimits {
  timeoutMs: number;
  /** Between TERM and KILL. */
  graceMs: number;
  /** Without it silence is allowed. */
  silenceMs?: number;
}

export interface ChildRun
  extends Pick<AdapterRun<unknown>, 'runId' | 'signal' | 'onStarted' | 'backlog'> {
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Only a process that is not of the run, or left no trace, can still hold the pipe when this is needed. */
const DRAIN_LIMIT_MS = 1_000;
/** Less than any silence that can be configured. */
const HEARD_WHILE_WAITING_MS = 100;

function describeExit({ code, signal }: Exit): AdapterOutcome {
  if (signal) {
    const error = `ended by ${signal} from outside`;
    return {
      status: 'failed',
      exitCode: null,
      errorCode: 'adapter_signal',
      error,
      transient: false,
    };
  }
  if (code === 0) return { status: 'succeeded', exitCode: 0 };
  const error = `exit code ${code}`;
  return { status: 'failed', exitCode: code, errorCode: 'adapter_exit', error, transient: false };
}

function describeEnd(
  reason: EndReason,
  exitCode: number | null,
  limits: ChildLimits,
): AdapterOutcome {
  if (reason.kind === 'defect') throw reason.error;
  if (reason.kind === 'abort') return { status: 'aborted', exitCode };
  const error =
    reason.kind === 'timeout'
      ? `did not end within ${limits.timeoutMs / 1000} s`
      : `no output for ${(limits.silenceMs ?? 0) / 1000} s`;
  return { status: 'timed_out', exitCode, errorCode: reason.kind, error };
}

async function attend(
  child: Child,
  run: ChildRun,
  attemptKey: string | undefined,
  limits: ChildLimits,
  watch: RunLimits,
): Promise<AdapterOutcome> {
  const exit = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  child.on('error', () => {});

  /** A throw inside a stream's listener would end the worker, and with it every other run. */
  const guarded = (deliver: (chunk: Buffer) => void) => (chunk: Buffer) => {
    watch.heard();
    try {
      deliver(chunk);
    } catch (error) {
      watch.fail(error);
    }
  };
  /** An agent that has to wait for us is not silent. */
  const backlog = () => {
    const room = run.backlog?.() ?? null;
    if (!room) return null;
    const waiting = setInterval(watch.heard, HEARD_WHILE_WAITING_MS);
    return room.finally(() => {
      clearInterval(waiting);
      watch.heard();
    });
  };
  const outputs = [
    gateOutput(
      child.stdout,
      guarded((chunk) => run.onStdout(chunk)),
      backlog,
    ),
    gateOutput(
      child.stderr,
      guarded((chunk) => run.onStderr(chunk)),
      backlog,
    ),
  ];

  const identity = await identifyProcess(child.pid);
  let isOpen = false;
  const opened = (async () => {
    await run.onStarted(identity);
    isOpen = true;
    for (const output of outputs) output.open();
  })().catch(watch.fail);
  const exited = await Promise.race([exit, watch.reached.then(() => null)]);
  const { runId } = run;
  const trace = { runId, identity, attemptKey, leaderSeen: true, graceMs: limits.graceMs };
  const { remaining } = await endProcesses(trace);
  await Promise.race([opened, watch.reached]);
  await Promise.all(outputs.map((output) => output.close(DRAIN_LIMIT_MS)));

  if (remaining.length > 0) {
    const error = `processes ${remaining.join(', ')} could not be ended`;
    return {
      status: 'failed',
      exitCode: null,
      errorCode: 'processes_remain',
      error,
      transient: false,
    };
  }
  const ended = exited ?? (await exit);
  const reason = watch.reason();
  const cutShort = reason && (!exited || !isOpen || reason.kind === 'defect');
  return cutShort ? describeEnd(reason, ended.code, limits) : describeExit(ended);
}

/**
 * Runs one command to its end and leaves nothing of it alive, however it ends. Throws only what
 * `onStarted`, `onStdout` or `onStderr` throw, after the processes have been ended.
 */
export async function runChild(
  run: ChildRun,
  command: ChildCommand,
  limits: ChildLimits,
): Promise<AdapterOutcome> {
  const refusal = await refuseFolder(command.cwd);
  if (refusal) return refusal;
  if (run.signal.aborted) return { status: 'aborted', exitCode: null };
  const child = spawnChild(command);
  if (!('pid' in child)) return child;
  const watch = watchLimits(run.signal, limits);
  try {
    return await attend(child, run, command.environment.SERVICE_API_KEY, limits, watch);
  } finally {
    watch.release();
  }
}
