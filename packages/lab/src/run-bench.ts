import { buildProjects } from '@switchyard/launcher/commands/build';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { runInTerminal } from '@switchyard/launcher/process/run';
import { provideServers } from '@switchyard/launcher/temporary-servers';

const NAMED = { database: 'DATABASE_URL', redis: 'REDIS_URL', durable: true };

export async function runBench(
  life: Lifecycle,
  root: string,
  words: readonly string[],
): Promise<number> {
  const build = () => buildProjects(root, [], life.stop);
  const { variables } = await provideServers(life, root, build, NAMED);
  const env = { ...process.env, ...variables };
  const script = ['packages/lab/bench/bench.mjs', ...words];
  return runInTerminal(life, process.execPath, script, { cwd: root, env });
}
