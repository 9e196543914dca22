import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { identity } from '@switchyard/bootstrap/identity';
import { writeJson } from '@switchyard/bootstrap/lock';
import { signalGroup } from '@switchyard/bootstrap/run';
import { type Colour, notice, paint } from '@switchyard/bootstrap/terminal';
import { execa } from 'execa';
import { end } from '../process/end.js';
import { keepUp } from '../process/keep-up.js';
import type { Lifecycle } from '../process/lifecycle.js';

export interface Definition {
  name: string;
  colour: Colour;
  command?: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export interface Service<Of extends Definition = Definition> {
  definition: Of;
  state: {
    pid?: number;
    last: string[];
    hasStarted: boolean;
    wasReady: boolean;
    ended?: string;
  };
  launch: () => void;
  keepUp: () => void;
  stop: () => Promise<void>;
}

export function newService<Of extends Definition>(
  life: Lifecycle,
  definition: Of,
  recordFile?: string,
): Service<Of> {
  const { name, command = process.execPath, args, cwd, env } = definition;
  const state: Service['state'] = { last: [], hasStarted: false, wasReady: false };
  let exited: Promise<void> = Promise.resolve();
  function launch(): void {
    state.ended = undefined;
    state.hasStarted = false;
    const child = execa(command, args, {
      cwd,
      env,
      extendEnv: false,
      detached: true,
      stdin: 'ignore',
      ipc: true,
      buffer: false,
      reject: false,
    });
    const { pid } = child;
    state.pid = pid;
    state.last = showOutput([child.stdout, child.stderr], definition);
    if (!pid) {
      state.ended = 'could not be started';
      void child.then(({ shortMessage = '' }) => state.last.push(shortMessage));
      return;
    }
    if (recordFile) record(recordFile, pid);
    child.once('message', (message) => {
      state.hasStarted = message === 'ready';
    });
    exited = new Promise((resolve) => {
      child.once('exit', (code, by) => {
        state.pid = undefined;
        signalGroup(pid, 'SIGKILL');
        state.ended = by ? `was ended by ${by}` : `ended with code ${code}`;
        resolve();
      });
    });
  }
  const kept = { pid: () => state.pid, ended: () => state.ended, restart: launch };
  return {
    definition,
    state,
    launch,
    keepUp: () => void keepUp(life, name, kept),
    async stop() {
      await end(state.pid, { now: life.now });
      await exited;
    },
  };
}

/**
 * The next start reads this file. A failed write, e.g. on a full disk, must not end the launcher.
 */
function record(file: string, pid: number): void {
  try {
    writeJson(file, { pid, started: identity(pid) });
  } catch (error) {
    notice(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

const KEPT = 25;
const WIDTH = 7;

/**
 * Prints complete lines, so that no line mixes the output of two services. Returns the last lines.
 */
export function showOutput(
  streams: Readable[],
  { name, colour }: { name: string; colour: Colour },
): string[] {
  const last: string[] = [];
  const mark = paint(colour, `${name.padEnd(WIDTH)}| `);
  for (const input of streams) {
    createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      last.push(line);
      if (last.length > KEPT) last.shift();
      console.log(`${mark}${line}`);
    });
  }
  return last;
}
