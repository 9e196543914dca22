import { spawn } from 'node:child_process';
import { installAndBuild } from './build.mjs';
import { end } from './process/end.mjs';
import { ORDER, together } from './process/life.mjs';
import { seekRedis } from './redis/choose.mjs';
import { makeThrowAway, sweep, throwAwayPostgres, throwAwayRedis } from './throw-away.mjs';

/** The benchmarks on servers of their own where none are named; what is committed there is on the disk. */
export async function bench(life, root, args) {
  const { env } = process;
  const { stop: signal } = life;
  sweep();
  const variable = 'REDIS_URL';
  const seeking = env[variable] ? undefined : seekRedis(root, env, { signal, variable });
  await together(life, [installAndBuild(root, { signal }), Promise.resolve(seeking)]);
  const place = env.DATABASE_URL && env.REDIS_URL ? undefined : makeThrowAway(life);
  const [databaseUrl, redisUrl] = await together(life, [
    Promise.resolve(env.DATABASE_URL || throwAwayPostgres(life, root, place, { durable: true })),
    Promise.resolve(env.REDIS_URL || throwAwayRedis(life, place, seeking)),
  ]);
  const urls = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
  return runBench(life, root, args, { ...env, ...urls });
}

function runBench(life, root, args, env) {
  const child = spawn(process.execPath, ['services/orchestration/bench/bench.mjs', ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  life.onEnd(ORDER.services, () => child.pid && end(child.pid, { waitMs: 5000, now: life.now }));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
