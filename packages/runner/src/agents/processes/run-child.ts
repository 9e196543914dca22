import type { SandboxExit, SandboxedChild } from '@switchyard/sandbox';
import type { AdapterOutcome, AdapterRun, ProcessIdentity } from '../agent-adapter';
import { gateOutput } from '../output/gated-output';
import { type EndReason, type RunLimits, watchLimits } from '../run-limits';
import { endProcesses } from './end-processes';
import { identifyProcess } from './process-identity';
import { type ChildCommand, describeSpawnFailure, refuseFolder, spawnChild } from './spawn-child';

export interface ChildLimits {
  timeoutMs: number;
  graceMs: number;
  silenceMs?: number;
}

export interface ChildRun
  extends Pick<AdapterRun<unknown>, 'runId' | 'signal' | 'onStarted' | 'backlog'> {
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
}

/** In ms. Only reached if a process that cannot be traced to the run holds the pipe open. */
const DRAIN_LIMIT_MS = 1_000;
const RESTART_SILENCE_MS = 100;

function describeExit({ code, signal }: SandboxExit): AdapterOutcome {
  if (signal) {
    const error = `ended by signal ${signal}`;
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
  child: SandboxedChild,
  run: ChildRun,
  command: ChildCommand,
  limits: ChildLimits,
  watch: RunLimits,
): Promise<AdapterOutcome> {
  /** An exception in a stream's listener would end the worker and all its runs. */
  const guarded = (deliver: (chunk: Buffer) => void) => (chunk: Buffer) => {
    watch.restartSilence();
    try {
      deliver(chunk);
    } catch (error) {
      watch.fail(error);
    }
  };
  const backlog = () => {
    const room = run.backlog?.() ?? null;
    if (!room) return null;
    const waiting = setInterval(watch.restartSilence, RESTART_SILENCE_MS);
    return room.finally(() => {
      clearInterval(waiting);
      watch.restartSilence();
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
  const exited = await Promise.race([child.exited, watch.reached.then(() => null)]);
  const remaining = await endAll(child, run, command, identity, limits);
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
  const ended = exited ?? (await child.exited);
  const reason = watch.reason();
  if (ended.failure && !reason) return describeSpawnFailure(command.command, ended.failure);
  const cutShort = reason && (!exited || !isOpen || reason.kind === 'defect');
  return cutShort ? describeEnd(reason, ended.code, limits) : describeExit(ended);
}

async function endAll(
  child: SandboxedChild,
  { runId }: ChildRun,
  { environment }: ChildCommand,
  identity: ProcessIdentity,
  { graceMs }: ChildLimits,
): Promise<number[]> {
  const { isComplete, remaining } = await child.end(graceMs);
  if (isComplete) return remaining;
  const attemptKey = environment.SERVICE_API_KEY;
  const trace = { runId, identity, attemptKey, leaderSeen: true, graceMs };
  return (await endProcesses(trace)).remaining;
}

/**
 * Runs one command and leaves none of its processes alive. Throws only errors of the callbacks,
 * after it has ended the processes.
 */
export async function runChild(
  run: ChildRun,
  command: ChildCommand,
  limits: ChildLimits,
): Promise<AdapterOutcome> {
  const refusal = refuseFolder(command.cwd);
  if (refusal) return refusal;
  if (run.signal.aborted) return { status: 'aborted', exitCode: null };
  const child = await spawnChild(command);
  if (!('pid' in child)) return child;
  const watch = watchLimits(run.signal, limits);
  try {
    return await attend(child, run, command, limits, watch);
  } finally {
    watch.release();
  }
}
