import { lastLines, problem } from './problem.mjs';
import { run } from './process/run.mjs';
import { say, step } from './terminal/steps.mjs';

async function runOne(root, name, args, runner, signal) {
  const command = ['packages/db/dist/bin/migrate.js', name, ...args];
  const { code, output } = await run(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...runner },
    signal,
  });
  if (code === 0) return output.trim();
  throw problem(
    `Migrating the ${name} database failed.`,
    'The text above says what blocks it; no later migration was applied.',
    lastLines(output, 15),
  );
}

async function runBoth(root, databases, args, signal) {
  const work = Object.entries(databases).map(([name, { runner }]) =>
    runOne(root, name, args, runner, signal),
  );
  const outcomes = await Promise.allSettled(work);
  for (const { reason } of outcomes) if (reason) throw reason;
  return outcomes.map(({ value }) => value);
}

export async function migrate(root, databases, signal) {
  const { outputs } = await step('migrate the databases', async () => ({
    outputs: await runBoth(root, databases, [], signal),
    text: 'databases migrated',
  }));
  for (const text of outputs) if (text) say(text.replace(/^/gm, '      '));
}

/** Roles and empty databases, for a backup or restore, which must find no newer tables than its own. */
export const prepareRoles = (root, databases, signal) =>
  step('prepare the roles of the databases', () =>
    runBoth(root, databases, ['--roles-only'], signal).then(() => undefined),
  );
