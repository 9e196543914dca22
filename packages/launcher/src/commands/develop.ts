import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { notice, printFailure, say } from '@switchyard/bootstrap/terminal';
import { freePort } from '../ports.js';
import { type Lifecycle, untilStopped } from '../process/lifecycle.js';
import { type Definition, newChild } from '../services/child.js';
import { startAll } from './start.js';

/**
 * Which services run what is compiled into a folder; a change in a shared package concerns every service. The runner is
 * restarted for what it imports alone: with it what agents are doing would begin anew.
 */
const EVERY = ['api', 'worker', 'metrics'];
const SERVICES_OF: Record<string, string[]> = {
  'packages/async/dist': [...EVERY, 'runner'],
  'packages/types/dist': EVERY,
  'packages/server/dist': EVERY,
  'packages/db/dist': EVERY,
  'packages/queue/dist': EVERY,
  'packages/sandbox/dist': ['runner'],
  'services/orchestration/dist': ['api', 'worker'],
  'services/orchestration/dist/adapters': ['runner'],
  'services/orchestration/dist/runner': ['runner'],
  'services/metrics/dist': ['metrics'],
};

/**
 * `npm run dev`: a start with the compiler watching, a service restarted when its compiled code changes, and the console
 * once more at an address where a change of its sources shows at once.
 */
export async function develop(life: Lifecycle, root: string): Promise<undefined> {
  const { children, urls } = await startAll(life, root);
  watchCompiled(life, root, async (folders) => {
    const names = new Set(folders.flatMap((folder) => SERVICES_OF[folder] ?? []));
    notice(`${folders.join(', ')} changed: restarting ${[...names].join(', ')}`);
    const due = children.filter(({ definition }) => names.has(definition.name));
    await Promise.all(due.map((child) => child.restart()));
  });
  startCompiler(life, root);
  await startConsole(life, root, urls.board);
  await untilStopped(life);
}

const QUIET_MS = 400;

/** Collects changes until the compiler has been quiet for a moment; one restart at a time. */
function watchCompiled(
  { stop: signal }: Lifecycle,
  root: string,
  onChange: (folders: string[]) => Promise<void>,
): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout;
  let isBusy = false;
  const flush = async () => {
    if (isBusy || signal.aborted || changed.size === 0) return;
    isBusy = true;
    const folders = [...changed];
    changed.clear();
    await onChange(folders).catch(printFailure);
    isBusy = false;
    void flush();
  };
  for (const folder of Object.keys(SERVICES_OF)) {
    const dist = path.join(root, folder);
    if (!existsSync(dist)) continue;
    watch(dist, { recursive: true, signal }, (_event, file) => {
      if (!file?.endsWith('.js')) return;
      changed.add(folder);
      clearTimeout(timer);
      timer = setTimeout(flush, QUIET_MS);
    });
  }
}

function startCompiler(life: Lifecycle, root: string): void {
  startTool(life, {
    name: 'tsc',
    colour: 'yellow',
    command: 'node_modules/.bin/tsc',
    args: ['-b', '--watch', '--preserveWatchOutput'],
    cwd: root,
    env: process.env,
  });
}

/** Vite's own server, which hands to the API what is not the console's. */
async function startConsole(life: Lifecycle, root: string, api: string): Promise<void> {
  const port = await freePort(5173);
  startTool(life, {
    name: 'console',
    colour: 'green',
    command: 'node_modules/.bin/vite',
    args: ['--host', '127.0.0.1', '--port', String(port), '--strictPort', '--clearScreen', 'false'],
    cwd: path.join(root, 'packages/console'),
    env: { ...process.env, CONSOLE_API: api },
  });
  say(`  console         http://127.0.0.1:${port}, with what is changed in packages/console\n`);
}

function startTool(life: Lifecycle, definition: Definition): void {
  const tool = newChild(life, definition);
  life.onEnd('services', () => tool.stop());
  tool.launch();
  tool.state.wasReady = true;
}
