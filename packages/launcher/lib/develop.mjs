import path from 'node:path';
import { ORDER, untilStopped } from './process/life.mjs';
import { newChild } from './services/child.mjs';
import { startAll } from './start.mjs';
import { notice } from './terminal/steps.mjs';
import { watchCompiled } from './watch.mjs';

const SHARED = ['async', 'types', 'server', 'db', 'queue'].map((name) => `packages/${name}`);
const OWNERS = {
  'services/orchestration': ['api', 'worker'],
  'services/metrics': ['metrics'],
};

/** A change in a shared package concerns every service. */
export function concerned(folders) {
  const names = folders.flatMap((folder) => OWNERS[folder] ?? ['api', 'worker', 'metrics']);
  return [...new Set(names)];
}

function startCompiler(life, root) {
  const compiler = newChild(
    {
      name: 'tsc',
      colour: 'yellow',
      command: 'node_modules/.bin/tsc',
      args: ['-b', '--watch', '--preserveWatchOutput'],
      cwd: root,
      env: process.env,
    },
    { signal: life.stop, now: life.now, onChange: () => {} },
  );
  life.onEnd(ORDER.services, () => compiler.stop());
  compiler.launch();
  compiler.state.wasReady = true;
}

export async function develop(life, root) {
  const { children } = await startAll(life, root);
  const restart = async (folders) => {
    const names = concerned(folders);
    notice(`${folders.join(', ')} changed: restarting ${names.join(', ')}`);
    const due = children.filter(({ definition }) => names.includes(definition.name));
    await Promise.all(due.map((child) => child.restart()));
  };
  const folders = [...SHARED, ...Object.keys(OWNERS)];
  watchCompiled(
    folders.map((folder) => [folder, path.join(root, folder, 'dist')]),
    {
      signal: life.stop,
      onChange: restart,
    },
  );
  startCompiler(life, root);
  await untilStopped(life);
}
