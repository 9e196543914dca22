import { say, step } from '@switchyard/bootstrap/terminal';
import type { Databases } from './databases.js';
import { runOrFail } from './process/run.js';
import { programFile } from './program-file.js';

type Runners = Record<string, Pick<Databases['metrics'], 'runner'>>;

export async function migrate(
  root: string,
  databases: Runners,
  signal: AbortSignal,
): Promise<void> {
  const { outputs } = await step('migrate the databases', async () => ({
    outputs: await runAll(root, databases, [], signal),
    text: 'databases migrated',
  }));
  for (const text of outputs) if (text) say(text.replace(/^/gm, '      '));
}

export const prepareRoles = (root: string, databases: Runners, signal: AbortSignal) =>
  step('prepare the roles of the databases', async () => {
    await runAll(root, databases, ['--roles-only'], signal);
  });

async function runAll(root: string, databases: Runners, args: string[], signal: AbortSignal) {
  const work = Object.entries(databases).map(([name, { runner: env }]) => {
    const command = [programFile(root, 'packages/db/dist/bin/migrate.js'), name, ...args];
    return runOrFail(process.execPath, command, { cwd: root, env, signal }, [
      `Migrating the ${name} database failed.`,
      'See the reason above; no later migration was applied.',
    ]);
  });
  await Promise.allSettled(work);
  return Promise.all(work);
}
