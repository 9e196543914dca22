import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { notice, printFailure } from '@switchyard/bootstrap/terminal';
import { type Lifecycle, untilStopped } from '../process/lifecycle.js';
import { newChild } from '../services/child.js';
import { startAll } from './start.js';

/** Which services run what is in a folder; a change in a shared package concerns every service. */
const EVERY = ['api', 'worker', 'metrics'];
const SERVICES_OF: Record<string, string[]> = {
  'packages/async': EVERY,
  'packages/types': EVERY,
  'packages/server': EVERY,
  'packages/db': EVERY,
  'packages/queue': EVERY,
  'services/orchestration': ['api', 'worker'],
  'services/metrics': ['metrics'],
};

/** `npm run dev`: a start with the compiler watching, and a service restarted when its compiled code changes. */
export async function develop(life: Lifecycle, root: string): Promise<undefined> {
  const children = await startAll(life, root);
  watchCompiled(life, root, async (folders) => {
    const names = new Set(folders.flatMap((folder) => SERVICES_OF[folder] ?? []));
    notice(`${folders.join(', ')} changed: restarting ${[...names].join(', ')}`);
    const due = children.filter(({ definition }) => names.has(definition.name));
    await Promise.all(due.map((child) => child.restart()));
  });
  startCompiler(life, root);
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
    const dist = path.join(root, folder, 'dist');
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
  const compiler = newChild(life, {
    name: 'tsc',
    colour: 'yellow',
    command: 'node_modules/.bin/tsc',
    args: ['-b', '--watch', '--preserveWatchOutput'],
    cwd: root,
    env: process.env,
  });
  life.onEnd('services', () => compiler.stop());
  compiler.launch();
  compiler.state.wasReady = true;
}
