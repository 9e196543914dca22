import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, sweepGroup } from '../process/end.mjs';
import { identity } from '../process/table.mjs';
import { notice } from '../terminal/steps.mjs';
import { newBackoff } from './backoff.mjs';
import { showOutput } from './output.mjs';

const describeExit = (code, signal) =>
  signal ? `was ended by ${signal}` : `ended with code ${code}`;

/**
 * One service: at most one process of it at any time. It is started again when it ends by itself, but only
 * once it has been ready; before that an end is a failure of the start, which `ended` tells.
 */
export function newChild(definition, { signal, now, onChange }) {
  const { name } = definition;
  const backoff = newBackoff();
  const state = { pid: undefined, last: [], wasReady: false, ended: undefined, wanted: true };
  let closed = Promise.resolve();

  function launch() {
    const begun = performance.now();
    state.ended = undefined;
    const { command = process.execPath, args, cwd, env } = definition;
    // A group of its own: the terminal's Ctrl-C must reach the launcher alone, which keeps the order.
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    state.pid = child.pid;
    state.started = child.pid && identity(child.pid);
    state.last = showOutput(child, definition);
    onChange();
    closed = new Promise((resolve) => {
      child.once('error', (error) => state.last.push(String(error)));
      child.once('exit', (code, by) => {
        state.pid = undefined;
        sweepGroup(child.pid);
        state.ended = describeExit(code, by);
        onChange();
        resolve();
        if (state.wasReady && state.wanted) void again(performance.now() - begun);
      });
      if (!child.pid) resolve();
    });
    if (!child.pid) state.ended = 'could not be started';
  }

  async function again(ranForMs) {
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
