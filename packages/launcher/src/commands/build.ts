import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { waitForLock } from '@switchyard/bootstrap/lock';
import { onceFor } from '@switchyard/bootstrap/once-for';
import { notice, step } from '@switchyard/bootstrap/terminal';
import { lastLines, UserError } from '@switchyard/bootstrap/user-error';
import type { Lifecycle } from '../process/lifecycle.js';
import { run } from '../process/run.js';

/** `npm run build`: everything, tests too. */
export async function build(life: Lifecycle, root: string): Promise<undefined> {
  await buildProjects(root, [], life.stop);
}

/** Without names everything. Two starts in one checkout take turns: they write the same files. */
export async function buildProjects(
  root: string,
  projects: string[],
  signal: AbortSignal,
): Promise<void> {
  const release = await waitForLock(path.join(root, '.cache', 'build.lock'), {
    signal,
    onWait: ({ pid }) => notice(`waiting for another install or build here (process ${pid})`),
  });
  try {
    await step('build', async () => {
      const isGenerated = await generateClients(root, signal);
      await generateSchemaVersion(root, signal);
      const work = [compileAll(root, projects, signal), buildConsole(root, signal)];
      // Both have ended before a failure is thrown.
      await Promise.allSettled(work);
      await Promise.all(work);
      return { text: isGenerated ? 'database clients generated, code compiled' : 'code compiled' };
    });
  } finally {
    release();
  }
}

async function compileAll(root: string, projects: string[], signal: AbortSignal): Promise<void> {
  await generateApiClient(root, projects, signal);
  await compile(root, projects, signal);
}

/** Bundled of the sources alone, beside the compiler, which checks their types. */
async function buildConsole(root: string, signal: AbortSignal): Promise<void> {
  const files = [
    ...filesBelow(path.join(root, 'packages/console'), /^(?:dist|node_modules)\b/),
    ...filesBelow(path.join(root, 'packages/client/src'), /^generated\b/),
    path.join(root, 'pnpm-lock.yaml'),
  ];
  const output = path.join(root, 'packages/console/dist/index.html');
  await onceFor(root, 'console', { files, output }, async () => {
    const script = 'packages/console/bin/build.mjs';
    const { code, output: said } = await run(process.execPath, [script], { cwd: root, signal });
    if (code === 0) return;
    throw new UserError(
      'The console was not built.',
      `Correct the errors above; \`node ${script}\` builds it alone.`,
      lastLines(said, 25),
    );
  });
}

function filesBelow(folder: string, left: RegExp): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const names = files.map((file) => path.join(path.relative(folder, file.parentPath), file.name));
  return names
    .filter((name) => !left.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Tells the code which migration is the newest. */
async function generateSchemaVersion(root: string, signal: AbortSignal): Promise<void> {
  const script = 'packages/db/bin/generate-schema-version.mjs';
  const { code, output } = await run(process.execPath, [script], { cwd: root, signal });
  if (code === 0) return;
  throw new UserError(
    'The newest migration was not found.',
    'Look at prisma/*/migrations and start again.',
    output,
  );
}

async function compile(root: string, projects: string[], signal: AbortSignal): Promise<void> {
  const options = { cwd: root, signal };
  const { code, output } = await run('node_modules/.bin/tsc', ['-b', ...projects], options);
  if (code === 0) return;
  throw new UserError(
    'The TypeScript build failed.',
    'Correct the errors above and start again.',
    output,
  );
}

/** The client's types are made of the services' documents, so the services are compiled before it. */
async function generateApiClient(
  root: string,
  projects: string[],
  signal: AbortSignal,
): Promise<void> {
  if (projects.length > 0 && !projects.includes('packages/client')) return;
  await compile(root, ['services/orchestration', 'services/metrics'], signal);
  const script = 'packages/client/bin/generate-all.mjs';
  const { code, output } = await run(process.execPath, [script], { cwd: root, signal });
  if (code === 0) return;
  throw new UserError(
    'The client was not generated.',
    `Run \`node ${script}\` to see why.`,
    output,
  );
}

async function generateClients(root: string, signal: AbortSignal): Promise<boolean> {
  const work = ['orchestration', 'metrics'].map((name) => generate(root, name, signal));
  // Both have ended before a failure is thrown.
  await Promise.allSettled(work);
  return (await Promise.all(work)).includes(true);
}

async function generate(root: string, name: string, signal: AbortSignal): Promise<boolean> {
  const folder = path.join(root, 'prisma', name);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const schema = names.filter((file) => file.endsWith('.prisma'));
  const files = [
    ...schema.map((file) => path.join(folder, file)),
    path.join(root, 'node_modules/prisma/package.json'),
    path.join(root, 'packages/db/bin/generate-client.mjs'),
  ];
  const output = path.join(root, 'packages/db/src/generated', name);
  return onceFor(root, name, { files, output }, async () => {
    const args = ['packages/db/bin/generate-client.mjs', name];
    const { code, output } = await run(process.execPath, args, { cwd: root, signal });
    if (code === 0) return;
    throw new UserError(
      `Generating the ${name} database client failed.`,
      `Correct the schema in prisma/${name} and start again.`,
      lastLines(output, 25),
    );
  });
}
