import { identity } from '@switchyard/bootstrap/identity';
import { signalGroup } from '@switchyard/bootstrap/run';
import type { Colour } from '@switchyard/bootstrap/terminal';
import { execa } from 'execa';
import { end } from '../process/end.js';
import { keepUp } from '../process/keep-up.js';
import type { Lifecycle } from '../process/lifecycle.js';
import { showOutput } from './output.js';

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
    started?: string;
    /** The last lines of its output, for a failure's report. */
    last: string[];
    wasReady: boolean;
    /** How it ended; undefined while it runs. */
    ended?: string;
  };
  launch: () => void;
  /** Launches it again when it ends by itself. */
  keepUp: () => void;
  stop: () => Promise<void>;
}

/** At most one process at any time; `onChange` is called when it begins and when it ends. */
export function newService<Of extends Definition>(
  life: Lifecycle,
  definition: Of,
  onChange = () => {},
): Service<Of> {
  const { name, command = process.execPath, args, cwd, env } = definition;
  const state: Service['state'] = { last: [], wasReady: false };
  let exited: Promise<void> = Promise.resolve();
  function launch(): void {
    state.ended = undefined;
    const child = execa(command, args, {
      cwd,
      env,
      extendEnv: false,
      // A group of its own: the terminal's Ctrl-C must reach the launcher only, which keeps the order.
      detached: true,
      stdin: 'ignore',
      buffer: false,
      reject: false,
    });
    const { pid } = child;
    state.pid = pid;
    state.started = identity(pid ?? 0);
    state.last = showOutput([child.stdout, child.stderr], definition);
    onChange();
    if (!pid) {
      state.ended = 'could not be started';
      void child.then(({ shortMessage = '' }) => state.last.push(shortMessage));
      return;
    }
    exited = new Promise((resolve) => {
      child.once('exit', (code, by) => {
        state.pid = undefined;
        signalGroup(pid, 'SIGKILL');
        state.ended = by ? `was ended by ${by}` : `ended with code ${code}`;
        onChange();
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
