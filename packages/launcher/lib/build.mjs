import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { install } from './install.mjs';
import { lastLines, problem } from './problem.mjs';
import { waitForLock } from './process/lock.mjs';
import { run } from './process/run.mjs';
import { filesUnder, hashOf, isStamped, stamp } from './stamp.mjs';
import { notice, step } from './terminal/steps.mjs';

const CLIENTS = [
  { name: 'orchestration', schema: 'schema' },
  { name: 'metrics', schema: 'schema.prisma' },
];

/** The generator's own `output` line says where the client goes. */
export function outputOf(schemaFiles) {
  for (const file of schemaFiles) {
    const output = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1];
    if (output) return path.resolve(path.dirname(file), output);
  }
  return undefined;
}

function prismaVersion(root) {
  const file = path.join(root, 'node_modules', 'prisma', 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : '';
}

async function generate(root, { name, schema }, signal) {
  const folder = path.join(root, 'prisma', name);
  const files = filesUnder(path.join(folder, schema)).filter((file) => file.endsWith('.prisma'));
  if (files.length === 0) {
    throw problem(`prisma/${name}/${schema} is missing.`, 'Restore it from the repository.');
  }
  const hash = hashOf(files, [prismaVersion(root)]);
  const output = outputOf(files);
  if (isStamped(root, name, hash) && output && existsSync(output)) return false;
  const config = path.join('prisma', name, 'prisma.config.ts');
  const { code, output: text } = await run(
    'node_modules/.bin/prisma',
    ['generate', '--config', config],
    {
      cwd: root,
      // Without an engine of its own every command first tries a download; generating needs none.
      env: {
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        ...process.env,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
      signal,
    },
  );
  if (code !== 0) {
    throw problem(
      `Generating the ${name} database client failed.`,
      `Correct prisma/${name}/${schema} and start again.`,
      lastLines(text, 25),
    );
  }
  stamp(root, name, hash);
  return true;
}

async function generateClients(root, signal) {
  const outcomes = await Promise.allSettled(
    CLIENTS.map((client) => generate(root, client, signal)),
  );
  for (const { reason } of outcomes) if (reason) throw reason;
  return outcomes.some(({ value }) => value);
}

/** Without names everything, tests too. */
async function compile(root, projects, signal) {
  const { code, output } = await run('node_modules/.bin/tsc', ['-b', ...projects], {
    cwd: root,
    signal,
  });
  if (code === 0) return;
  throw problem(
    'The TypeScript build failed.',
    'Correct the errors above and start again.',
    output,
  );
}

/** The client's types are made of the services' documents, so the services are compiled before it. */
async function generateApiClient(root, projects, signal) {
  if (projects.length > 0 && !projects.includes('packages/client')) return;
  await compile(root, ['services/orchestration', 'services/metrics'], signal);
  const script = 'packages/client/bin/generate-all.mjs';
  const { code, output } = await run(process.execPath, [script], { cwd: root, signal });
  if (code === 0) return;
  throw problem('The client was not generated.', `Run \`node ${script}\` to see why.`, output);
}

/** Two starts in one checkout take turns: they write the same node_modules and the same compiled files. */
export async function installAndBuild(root, { signal, projects = [] }) {
  const release = await waitForLock(path.join(root, '.cache', 'build.lock'), {
    signal,
    onWait: ({ pid }) => notice(`waiting for another install or build here (process ${pid})`),
  });
  try {
    await install(root, { signal });
    await step('build', async () => {
      const generated = await generateClients(root, signal);
      await generateApiClient(root, projects, signal);
      await compile(root, projects, signal);
      return { text: generated ? 'database clients generated, code compiled' : 'code compiled' };
    });
  } finally {
    release();
  }
}
