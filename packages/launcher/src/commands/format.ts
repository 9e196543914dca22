import type { Lifecycle } from '../process/lifecycle.js';
import { runInTerminal } from '../process/run.js';
import { writeDocs } from './docs.js';

export async function format(life: Lifecycle, root: string, args: string[]): Promise<number> {
  const biome = ['check', '--write', '.', ...args];
  const code = await runInTerminal(life, 'node_modules/.bin/biome', biome, { cwd: root });
  await writeDocs(life, root);
  return code;
}
