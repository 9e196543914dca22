import { spawn } from 'node:child_process';
import { installAndBuild } from './build.mjs';
import { problem } from './problem.mjs';
import { end } from './process/end.mjs';
import { ORDER, together } from './process/life.mjs';
import { run } from './process/run.mjs';
import { seekRedis } from './redis/choose.mjs';
import { hasColour } from './terminal/colour.mjs';
import { say, step } from './terminal/steps.mjs';
import { makeThrowAway, sweep, throwAwayPostgres, throwAwayRedis } from './throw-away.mjs';

async function lint(root, signal) {
  await step('lint (biome check .)', async () => {
    const colours = hasColour() ? ['--colors=force'] : [];
    const options = { cwd: root, signal };
    const { code, output } = await run(
      'node_modules/.bin/biome',
      ['check', '--error-on-warnings', '.', ...colours],
      options,
    );
    if (code === 0) return { text: 'lint: nothing found' };
    say(output);
    throw problem('biome check found problems.', 'Correct them; npm run format mends most.');
  });
}

/** In the launcher's own process group: jest's watch mode reads the terminal. */
function jest(life, root, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn('node_modules/.bin/jest', args, { cwd: root, env, stdio: 'inherit' });
    life.onEnd(ORDER.services, () => child.pid && end(child.pid, { waitMs: 5000, now: life.now }));
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
    life.stop.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  });
}

/** Never reads or writes DATA_DIR: its servers live in a folder of their own below the temporary one. */
export async function test(life, root, args) {
  const { env } = process;
  const { stop: signal } = life;
  sweep();
  const variable = 'TEST_REDIS_URL';
  const seeking = env[variable] ? undefined : seekRedis(root, env, { signal, variable });
  await together(life, [installAndBuild(root, { signal }), Promise.resolve(seeking)]);
  await lint(root, signal);
  const needed = !env.TEST_DATABASE_URL || !env.TEST_REDIS_URL;
  const place = needed ? makeThrowAway(life) : undefined;
  const [databaseUrl, redisUrl] = await together(life, [
    Promise.resolve(env.TEST_DATABASE_URL || throwAwayPostgres(life, root, place)),
    Promise.resolve(env.TEST_REDIS_URL || throwAwayRedis(life, place, seeking)),
  ]);
  const urls = { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl };
  say('');
  let code = 1;
  await step('jest', async () => {
    code = await jest(life, root, args, { ...env, ...urls });
    return { text: code === 0 ? 'jest: all passed' : `jest: exit code ${code}` };
  });
  return code;
}
