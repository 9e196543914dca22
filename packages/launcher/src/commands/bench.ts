import type { Lifecycle } from '../process/lifecycle.js';
import { runInTerminal } from '../process/run.js';
import { provideServers } from '../temporary-servers.js';
import { buildProjects } from './build.js';

const NAMED = { database: 'DATABASE_URL', redis: 'REDIS_URL', durable: true };

/** `npm run bench`: on servers of its own where none are named; what is committed there is on the disk. */
export async function bench(life: Lifecycle, root: string, args: string[]): Promise<number> {
  const build = () => buildProjects(root, [], life.stop);
  const { variables } = await provideServers(life, root, build, NAMED);
  const words = ['services/orchestration/bench/bench.mjs', ...args];
  const env = { ...process.env, ...variables };
  return runInTerminal(life, process.execPath, words, { cwd: root, env });
}
