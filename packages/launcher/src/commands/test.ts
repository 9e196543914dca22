import path from 'node:path';
import { hasColour, say, step } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import type { Lifecycle } from '../process/lifecycle.js';
import { run, runInTerminal } from '../process/run.js';
import { findChromium, seekChromium } from '../programs/chromium.js';
import { findOnPath } from '../programs/find.js';
import { unpackPackage } from '../programs/unpack.js';
import { provideServers } from '../temporary-servers.js';
import { buildProjects } from './build.js';

const TIERS: Record<string, string[]> = {
  fast: ['**/!(*.system).test.{ts,tsx}'],
  system: ['**/*.system.test.ts'],
  browser: ['**/*.browser.ts'],
  all: ['**/*.test.{ts,tsx}', '**/*.browser.ts'],
};

/**
 * Without arguments, runs lint, the type check and the fast tier. Arguments that are parts of paths
 * select files of any tier. Never uses DATA_DIR.
 */
export async function test(life: Lifecycle, root: string, args: string[]): Promise<number> {
  const { tier, rest, isNamed, isChosen } = readTier(args);
  const files = TIERS[tier];
  if (!files) {
    throw new UserError(`Unknown tier: ${tier}.`, `Choose one of ${Object.keys(TIERS)}.`);
  }
  const lints = !isChosen && (tier === 'fast' || tier === 'all');
  const drives = (/browser|all/.test(tier) && isNamed) || rest.some(isBrowser);
  const browser = await provideChromium(root, drives, life.stop);
  const testsRules = (/system|all/.test(tier) && isNamed) || rest.some(isOfRules);
  const promtool = testsRules ? await seekPromtool(root, process.env, life.stop) : undefined;
  const { variables } = await provideServers(life, root, async () => {
    await buildProjects(root, [], life.stop);
    if (lints) await lint(root, life.stop);
  });
  say('');
  let code = 1;
  await step('jest', async () => {
    const env = { ...process.env, ...variables, ...browser, ...typeScript(root) };
    if (promtool) env.TEST_PROMTOOL = promtool;
    const matching = rest.includes('--testMatch') ? [] : ['--testMatch', ...files];
    const jest = ['node_modules/jest/bin/jest.js', ...rest, ...matching];
    code = await runInTerminal(life, process.execPath, jest, { cwd: root, env });
    return { text: code === 0 ? 'jest: all passed' : `jest: exit code ${code}` };
  });
  if (isChosen && code === 0) await lint(root, life.stop);
  return code;
}

function readTier(args: string[]) {
  const named = args.find((arg) => arg.startsWith('--tier='));
  const rest = args.filter((arg) => arg !== named);
  const isChosen = rest.some((arg) => !arg.startsWith('--shard'));
  const tier = named?.slice('--tier='.length) ?? (isChosen ? 'all' : 'fast');
  return { tier, rest, isNamed: named !== undefined, isChosen };
}

function typeScript(root: string): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: '--import tsx --require ./packages/testing/jest/keep-worker-data.cjs',
    TSX_TSCONFIG_PATH: `${root}/tsconfig.run.json`,
  };
}

const isOfRules = (arg: string) => /alert-rules|faults/.test(arg);
const isBrowser = (arg: string) => /browser|newcomer/.test(arg);

async function provideChromium(
  root: string,
  drives: boolean,
  signal: AbortSignal,
): Promise<NodeJS.ProcessEnv> {
  const program = drives
    ? await seekChromium(root, process.env, signal)
    : findChromium(process.env);
  return program ? { TEST_CHROMIUM: program } : {};
}

async function lint(root: string, signal: AbortSignal): Promise<void> {
  await step('lint (biome check .)', async () => {
    const colours = hasColour() ? ['--colors=force'] : [];
    const args = ['check', '--error-on-warnings', '.', ...colours];
    const { code, output } = await run('node_modules/.bin/biome', args, { cwd: root, signal });
    if (code === 0) return { text: 'lint: nothing found' };
    say(output);
    throw new UserError('biome check found problems.', 'Correct them; npm run format fixes most.');
  });
}

const PROMETHEUS = {
  product: 'Prometheus',
  packages: ['prometheus'],
  programs: ['usr/bin/promtool'],
};

async function seekPromtool(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [found] = findOnPath(['promtool'], env);
  if (found) return found;
  return (await unpackPackage(PROMETHEUS, path.join(root, '.cache/prometheus'), signal))?.command;
}
