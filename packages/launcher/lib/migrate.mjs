import { explain } from './problem.mjs';
import { run } from './process/run.mjs';
import { say, step } from './terminal/steps.mjs';

async function migrateOne(root, name, url, signal) {
  const { code, output } = await run(process.execPath, ['packages/db/dist/bin/migrate.js', name], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url },
    signal,
  });
  if (code === 0) return output.trim();
  throw explain(
    `Migrating the ${name} database`,
    output,
    'The text above says what blocks it; no later migration was applied.',
  );
}

export async function migrate(root, urls, signal) {
  const { outputs } = await step('migrate the databases', async () => {
    const work = Object.entries(urls).map(([name, url]) => migrateOne(root, name, url, signal));
    const outcomes = await Promise.allSettled(work);
    for (const { reason } of outcomes) if (reason) throw reason;
    return { outputs: outcomes.map(({ value }) => value), text: 'databases migrated' };
  });
  for (const text of outputs) if (text) say(text.replace(/^/gm, '      '));
}
