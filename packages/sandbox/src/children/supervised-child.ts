import type { Server } from 'node:net';
import { constants } from 'node:os';
import type { SandboxNetwork } from '../sandbox';
import type { SandboxExit, SandboxedChild, SpawnFailure } from './sandboxed-child';
import type { SpawnedProcess } from './spawn-process';

interface Supervised {
  network: SandboxNetwork | null;
  /**
   * True if the kernel ends all processes when the supervisor ends, even if the supervisor is
   * killed.
   */
  isHeldByKernel: boolean;
  exceeds?(): Promise<SpawnFailure | null>;
  release(): Promise<void>;
}

interface EntryMessage {
  listening?: true;
  executed?: true;
  failed?: { step: string; errno: number; text: string };
  ended?: { code?: number; signal?: number };
}

const GIVE_UP_MS = 30_000;

const MEASURE_MS = 2_000;

export function supervisedChild(child: SpawnedProcess, supervised: Supervised): SandboxedChild {
  let server: Server | null = null;
  let wasExecuted = false;
  let settle: (exit: SandboxExit) => void;
  let isGone = false;
  let isReported = false;
  const exited = new Promise<SandboxExit>((resolve) => {
    settle = resolve;
  });

  child.on('message', (message, handle) => {
    const sent = message as EntryMessage;
    if (sent.listening) server = listen(handle as Server, supervised.network);
    if (sent.executed) wasExecuted = true;
    if (sent.failed || sent.ended) isReported = true;
    if (sent.failed) settle({ code: null, signal: null, failure: describeFailure(sent.failed) });
    if (sent.ended) settle({ ...describeEnd(sent.ended), failure: null });
  });
  const gone = Promise.all([
    new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      child.once('exit', (code, signal) => resolve([code, signal]));
    }),
    new Promise<void>((resolve) => {
      child.once('disconnect', resolve);
    }),
  ]).then(([[code, signal]]) => {
    isGone = true;
    server?.close();
    // The supervisor may end without a message, because it was killed or could not set up the
    // sandbox.
    if (wasExecuted) settle({ code, signal, failure: null });
    else settle({ code: null, signal: null, failure: describeSilence(signal ?? code) });
  });
  const measure = async () => {
    const failure = isGone ? null : await supervised.exceeds?.();
    if (isGone) return;
    if (!failure) return void setTimeout(watch, MEASURE_MS).unref();
    settle({ code: null, signal: null, failure });
    if (child.connected) child.send({ end: 0 }, () => {});
  };
  const watch = () => void measure().catch((error: Error) => process.emitWarning(error.message));
  if (supervised.exceeds) setTimeout(watch, MEASURE_MS).unref();
  const released = gone
    .then(() => supervised.release())
    .catch((error: Error) => process.emitWarning(error.message));

  return {
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    async end(graceMs) {
      if (!isGone && child.connected) child.send({ end: Math.ceil(graceMs) }, () => {});
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), graceMs + GIVE_UP_MS);
      });
      const outcome = await Promise.race([gone, late]).finally(() => clearTimeout(timer));
      if (outcome === 'late') return { isComplete: true, remaining: [child.pid] };
      await released;
      return { isComplete: supervised.isHeldByKernel || isReported, remaining: [] };
    },
  };
}

function listen(server: Server, network: SandboxNetwork | null): Server {
  if (network) server.on('connection', network.accept);
  server.on('error', () => {});
  return server;
}

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

function describeEnd({ code, signal }: NonNullable<EntryMessage['ended']>) {
  if (signal === undefined) return { code: code ?? null, signal: null };
  const name = (SIGNALS.get(signal) ?? `signal ${signal}`) as NodeJS.Signals;
  return { code: null, signal: name };
}

const ERRORS = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

function describeFailure({ step, errno, text }: NonNullable<EntryMessage['failed']>) {
  const code = ERRORS.get(errno) ?? `errno ${errno}`;
  if (step === 'execute' || step === 'fork') return { code, message: `${code}: ${text}` };
  return { code: 'SANDBOX', message: `${step}: ${text}` };
}

const describeSilence = (end: number | NodeJS.Signals | null) => ({
  code: 'SANDBOX',
  message: `the sandbox ended with ${end} before the command started; its output contains the reason`,
});
