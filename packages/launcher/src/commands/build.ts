import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { waitForLock } from '@switchyard/bootstrap/lock';
import { onceFor } from '@switchyard/bootstrap/once-for';
import { notice, step } from '@switchyard/bootstrap/terminal';
import type { Lifecycle } from '../process/lifecycle.js';
import { runOrFail } from '../process/run.js';
import { isReleased } from '../program-file.js';

export async function build(life: Lifecycle, root: string): Promise<undefined> {
  await buildProjects(root, [], life.stop);
}

type Tool = (
  command: string,
  args: string[],
  failure: readonly [cause: string, next: string],
) => Promise<string>;

export async function buildProjects(
  root: string,
  projects: string[],
  signal: AbortSignal,
): Promise<void> {
  if (isReleased) return;
  const release = await waitForLock(path.join(root, '.cache', 'build.lock'), {
    signal,
    onWait: ({ pid }) =>
      notice(`waiting for another install or build in this folder (process ${pid})`),
  });
  const tool: Tool = (command, args, failure) =>
    runOrFail(command, args, { cwd: root, signal }, failure);
  try {
    await step('build', async () => {
      const isGenerated = await both(
        generateDatabaseClient(root, 'orchestration', tool),
        generateDatabaseClient(root, 'metrics', tool),
      );
      await tool(
        process.execPath,
        ['packages/db/bin/generate-schema-version.mjs'],
        ['The newest migration was not found.', 'Check prisma/*/migrations and start again.'],
      );
      await both(compileAll(projects, tool), buildConsole(root, tool));
      const generated = isGenerated.includes(true) ? 'database clients generated, ' : '';
      return { text: `${generated}code compiled` };
    });
  } finally {
    release();
  }
}

async function both<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

function generateDatabaseClient(root: string, name: string, tool: Tool): Promise<boolean> {
  const script = 'packages/db/bin/generate-client.mjs';
  const schema = filesBelow(path.join(root, 'prisma', name)).filter((file) =>
    file.endsWith('.prisma'),
  );
  const files = [
    ...schema,
    path.join(root, 'node_modules/prisma/package.json'),
    path.join(root, script),
  ];
  const output = path.join(root, 'packages/db/src/generated', name);
  return onceFor(root, name, { files, output }, async () => {
    await tool(
      process.execPath,
      [script, name],
      [
        `Generating the ${name} database client failed.`,
        `Correct the schema in prisma/${name} and start again.`,
      ],
    );
  });
}

/** Compiles the client last, because its types are generated from the services' documents. */
async function compileAll(projects: string[], tool: Tool): Promise<void> {
  if (projects.length === 0 || projects.includes('packages/client')) {
    await compile(['services/orchestration', 'services/metrics'], tool);
    const script = 'packages/client/bin/generate-all.mjs';
    const next = `Run \`node ${script}\` to see why.`;
    await tool(process.execPath, [script], ['The client could not be generated.', next]);
  }
  await compile(projects, tool);
}

const compile = (projects: string[], tool: Tool) =>
  tool(
    'node_modules/.bin/tsc',
    ['-b', ...projects],
    ['The TypeScript build failed.', 'Correct the errors above and start again.'],
  );

async function buildConsole(root: string, tool: Tool): Promise<void> {
  const files = [
    ...filesBelow(path.join(root, 'packages/console'), /^(?:dist|node_modules)\b/),
    ...filesBelow(path.join(root, 'packages/client/src'), /^generated\b/),
    path.join(root, 'pnpm-lock.yaml'),
  ];
  const output = path.join(root, 'packages/console/dist/index.html');
  await onceFor(root, 'console', { files, output }, async () => {
    const script = 'packages/console/bin/build.mjs';
    await tool(
      process.execPath,
      [script],
      [
        'The console could not be built.',
        `Correct the errors above; \`node ${script}\` only builds it.`,
      ],
    );
  });
}

function filesBelow(folder: string, left?: RegExp): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const names = files.map((file) => path.join(path.relative(folder, file.parentPath), file.name));
  return names
    .filter((name) => !left?.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}
