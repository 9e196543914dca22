import { parseArgs } from 'node:util';
import { UserError } from '@switchyard/bootstrap/user-error';
import { type Lifecycle, together } from '../process/lifecycle.js';
import { runInTerminal } from '../process/run.js';
import { programFile } from '../program-file.js';
import { provideBubblewrap } from '../programs/bubblewrap.js';
import { loadEnvFile } from '../settings.js';
import { buildProjects } from './build.js';

const USAGE =
  'npm start -- runner --url <address of the API> --token-file <file> [--name <name>] [--labels <a,b>] [--concurrency <runs>] [--data <folder>]';

const VARIABLES = {
  url: 'RUNNER_URL',
  token: 'RUNNER_TOKEN',
  'token-file': 'RUNNER_TOKEN_FILE',
  name: 'RUNNER_NAME',
  labels: 'RUNNER_LABELS',
  concurrency: 'RUNNER_CONCURRENCY',
  data: 'DATA_DIR',
} as const;

export async function runRunner(life: Lifecycle, root: string, words: string[]): Promise<number> {
  const { RUNNER_TOKEN_FILE } = process.env;
  const given = { ...(RUNNER_TOKEN_FILE && { RUNNER_TOKEN_FILE }), ...readOptions(words) };
  loadEnvFile(root);
  const env: NodeJS.ProcessEnv = { RUNNER_PORT: '0', ...process.env, ...given };
  // Passes the token only as a file, because every process of the same user can read the
  // environment.
  if ('RUNNER_TOKEN_FILE' in given && !('RUNNER_TOKEN' in given)) delete env.RUNNER_TOKEN;
  if (!env.RUNNER_URL || !(env.RUNNER_TOKEN || env.RUNNER_TOKEN_FILE)) {
    throw new UserError(
      'A runner requires --url (the address of its server) and --token-file.',
      USAGE,
    );
  }
  const [, sandbox] = await together(life, [
    buildProjects(root, ['packages/runner'], life.stop),
    provideBubblewrap(root, env, life.stop),
  ]);
  Object.assign(env, sandbox);
  const bin = programFile(root, 'packages/runner/dist/bin/runner.js');
  const waitMs = (Number(env.RUNNER_DRAIN_SEC ?? 3_600) + 15) * 1_000;
  return runInTerminal(life, process.execPath, [bin], { cwd: root, env, waitMs });
}

function readOptions(words: string[]): Record<string, string> {
  const names = Object.keys(VARIABLES) as (keyof typeof VARIABLES)[];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values } = parseArgs({ args: words, options });
    return Object.fromEntries(
      names.flatMap((name) => (values[name] ? [[VARIABLES[name], String(values[name])]] : [])),
    );
  } catch (error) {
    throw new UserError((error as Error).message, USAGE);
  }
}
