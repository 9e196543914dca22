import { say, step } from '@switchyard/bootstrap/terminal';
import { lastLines, UserError } from '@switchyard/bootstrap/user-error';
import type { Databases } from './databases.js';
import { run } from './process/run.js';

type Runners = Record<string, Pick<Databases['metrics'], 'runner'>>;

export async function migrate(
  root: string,
  databases: Runners,
  signal: AbortSignal,
): Promise<void> {
  const { outputs } = await step('migrate the databases', async () => ({
    outputs: await runBoth(root, databases, [], signal),
    text: 'databases migrated',
  }));
  for (const text of outputs) if (text) say(text.replace(/^/gm, '      '));
}

/** Roles and empty databases, for a backup or restore, which must find no newer tables than its own. */
export const prepareRoles = (root: string, databases: Runners, signal: AbortSignal) =>
  step('prepare the roles of the databases', async () => {
    await runBoth(root, databases, ['--roles-only'], signal);
  });

async function runBoth(root: string, databases: Runners, args: string[], signal: AbortSignal) {
  const runOne = async (name: string, runner: Record<string, string>) => {
    const command = ['packages/db/dist/bin/migrate.js', name, ...args];
    const env = { ...process.env, ...runner };
    const { code, output } = await run(process.execPath, command, { cwd: root, env, signal });
    if (code === 0) return output.trim();
    throw new UserError(
      `Migrating the ${name} database failed.`,
      'The text above says what blocks it; no later migration was applied.',
      lastLines(output, 15),
    );
  };
  const work = Object.entries(databases).map(([name, { runner }]) => runOne(name, runner));
  // Both have ended before a failure is thrown.
  await Promise.allSettled(work);
  return Promise.all(work);
}
