import path from 'node:path';
import { say } from '@switchyard/bootstrap/terminal';
import { freePort } from '../ports.js';
import { type Lifecycle, untilStopped } from '../process/lifecycle.js';
import { type Definition, newService } from '../services/service.js';
import { startAll } from './start.js';

export async function develop(life: Lifecycle, root: string): Promise<undefined> {
  const urls = await startAll(life, root, ['--watch', '--watch-preserve-output']);
  startTool(life, {
    name: 'tsc',
    colour: 'yellow',
    command: 'node_modules/.bin/tsc',
    args: ['-b', '--watch', '--preserveWatchOutput'],
    cwd: root,
    env: process.env,
  });
  const port = await freePort(5173);
  startTool(life, {
    name: 'console',
    colour: 'green',
    command: 'node_modules/.bin/vite',
    args: ['--host', '127.0.0.1', '--port', String(port), '--strictPort', '--clearScreen', 'false'],
    cwd: path.join(root, 'packages/console'),
    env: { ...process.env, CONSOLE_API: urls.board },
  });
  say(`  console         http://127.0.0.1:${port}, updated with packages/console\n`);
  await untilStopped(life);
}

function startTool(life: Lifecycle, definition: Definition): void {
  const tool = newService(life, definition);
  life.onEnd(() => tool.stop());
  tool.launch();
  tool.keepUp();
}
