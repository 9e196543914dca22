import { hasColour, say, step } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import type { Lifecycle } from '../process/lifecycle.js';
import { run, runInTerminal } from '../process/run.js';
import { findChromium, seekChromium } from '../programs/chromium.js';
import { provideServers } from '../temporary-servers.js';
import { buildProjects } from './build.js';

/**
 * Each test file runs all modules anew, in a context of its own. What V8 interprets is optimized anew in each; its baseline
 * code is shared, once it is made at first use and kept. With more room for young objects, in MB, fewer are copied before
 * they are garbage: most that a file makes does not outlive it.
 */
const OF_V8 = ['--always-sparkplug', '--no-flush-bytecode', '--max-semi-space-size=64'];

/**
 * `npm test`: never reads or writes DATA_DIR; its servers live in a temporary folder. Returns jest's exit code. The
 * whole run is linted first, to fail within seconds; chosen tests are not held up by style and are linted after.
 */
export async function test(life: Lifecycle, root: string, args: string[]): Promise<number> {
  const isWhole = args.length === 0;
  const browser = await provideChromium(root, args, life.stop);
  const { variables } = await provideServers(life, root, async () => {
    await buildProjects(root, [], life.stop);
    if (isWhole) await lint(root, life.stop);
  });
  say('');
  let code = 1;
  await step('jest', async () => {
    const env = { ...process.env, ...variables, ...browser };
    const jest = [...OF_V8, 'node_modules/jest/bin/jest.js', ...args];
    code = await runInTerminal(life, process.execPath, jest, { cwd: root, env });
    return { text: code === 0 ? 'jest: all passed' : `jest: exit code ${code}` };
  });
  if (!isWhole && code === 0) await lint(root, life.stop);
  return code;
}

/** Fetched only for a run that surely drives it: the whole one, and one whose arguments name the browser's tests. */
async function provideChromium(
  root: string,
  args: string[],
  signal: AbortSignal,
): Promise<NodeJS.ProcessEnv> {
  const isDriven = args.length === 0 || args.some((each) => /browser|newcomer/.test(each));
  const program = isDriven
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
    throw new UserError('biome check found problems.', 'Correct them; npm run format mends most.');
  });
}
