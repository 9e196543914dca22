import type { Lifecycle } from '../process/lifecycle.js';
import { runInTerminal } from '../process/run.js';
import { writeDocs } from './docs.js';

/** `npm run format`: corrects the style, and regenerates files from the code. Returns the exit code. */
export async function format(life: Lifecycle, root: string, args: string[]): Promise<number> {
  const biome = ['check', '--write', '.', ...args];
  const code = await runInTerminal(life, 'node_modules/.bin/biome', biome, { cwd: root });
  await writeDocs(life, root);
  return code;
}
