import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { identity } from '@switchyard/bootstrap/identity';
import { signalGroup } from '@switchyard/bootstrap/run';
import { type Colour, notice } from '@switchyard/bootstrap/terminal';
import { end } from '../process/end.js';
import type { Lifecycle } from '../process/lifecycle.js';
import { newBackoff } from './backoff.js';
import { showOutput } from './output.js';

export interface Definition {
  name: string;
  colour: Colour;
  command?: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export type Child<Of extends Definition = Definition> = ReturnType<typeof newChild<Of>>;

interface State {
  pid?: number;
  started?: string;
  last: string[];
  wasReady: boolean;
  /** How it ended; undefined while it runs. */
  ended?: string;
  wanted: boolean;
}

/**
 * One service: at most one process of it at any time. It is started again when it ends by itself, but only
 * once it has been ready; before that an end is a failure of the start, which `state.ended` names.
 */
export function newChild<Of extends Definition>(
  { stop: signal, now }: Lifecycle,
  definition: Of,
  onChange = () => {},
) {
  const { name, command = process.execPath, args, cwd, env } = definition;
  const backoff = newBackoff();
  const state: State = { last: [], wasReady: false, wanted: true };
  let closed = Promise.resolve();

  function launch() {
    const begun = performance.now();
    state.ended = undefined;
    // A group of its own: the terminal's Ctrl-C must reach the launcher alone, which keeps the order.
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { pid } = child;
    state.pid = pid;
    state.started = identity(pid ?? 0);
    state.last = showOutput([child.stdout, child.stderr], definition);
    onChange();
    child.once('error', (error) => state.last.push(String(error)));
    if (!pid) {
      state.ended = 'could not be started';
      return;
    }
    closed = new Promise((resolve) => {
      child.once('exit', (code, by) => {
        state.pid = undefined;
        signalGroup(pid, 'SIGKILL');
        state.ended = by ? `was ended by ${by}` : `ended with code ${code}`;
        onChange();
        resolve();
        if (state.wasReady && state.wanted) void relaunch(performance.now() - begun);
      });
    });
  }

  async function relaunch(ranForMs: number) {
    const wait = backoff.next(ranForMs);
    notice(`${name} ${state.ended}; it is started again in ${wait / 1000} s`);
    await sleep(wait, undefined, { signal }).catch(() => {});
    if (state.wanted && !signal.aborted && !state.pid) launch();
  }

  async function stop() {
    state.wanted = false;
    if (!state.pid) return;
    await end(state.pid, { now });
    await closed;
  }

  async function restart() {
    await stop();
    state.wanted = true;
    if (!signal.aborted) launch();
  }

  return { definition, state, launch, stop, restart };
}
