import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { withoutControls, writeText } from './output.js';

const SUMMARY_CHARACTERS = 8_000;

const GRACE_MS = 5_000;

export interface ProgramResult {
  summary: string;
  /** The program's usage lines, not validated and without their `type`. */
  costs: object[];
  error: string | null;
}

export async function runProgram(
  [file = '', ...args]: string[],
  variables: Record<string, string>,
  signal: AbortSignal,
): Promise<ProgramResult> {
  const env = { ...withoutOwn(process.env), ...variables };
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const ended = endOf(child);
  const stop = () => {
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS).unref();
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const costs: object[] = [];
  let summary = '';
  for await (const line of createInterface({ input: child.stdout })) {
    writeText(`${line}\n`);
    const cost = readUsage(line);
    if (cost) costs.push(cost);
    summary = `${summary}${withoutControls(line)}\n`.slice(-SUMMARY_CHARACTERS);
  }
  const error = await ended;
  signal.removeEventListener('abort', stop);
  return { summary: summary.trim() === '' ? '' : summary.toWellFormed(), costs, error };
}

const endOf = (child: ChildProcess) =>
  new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, killedBy) => {
      signalGroup(child, 'SIGKILL');
      resolve(code === 0 ? null : `the program ended with ${code ?? killedBy}`);
    });
  });

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const withoutOwn = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(SWITCHYARD|SERVICE)_/.test(name)));

function readUsage(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { type, ...usage } = JSON.parse(line);
    return type === 'usage' ? usage : undefined;
  } catch {
    return undefined;
  }
}
