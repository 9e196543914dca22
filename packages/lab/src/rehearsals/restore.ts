import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readJson } from '@switchyard/bootstrap/lock';
import { step } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { end } from '@switchyard/launcher/process/end';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { run } from '@switchyard/launcher/process/run';
import { placesIn } from '@switchyard/launcher/settings';

const command = (name: string, ...args: string[]) => ['packages/bootstrap/run.mjs', name, ...args];

/**
 * `npm run rehearse -- restore`: backs up a running demonstration, restores it into an empty
 * system, checks that a second restore is refused, and repeats the demonstration there.
 */
export async function rehearseRestore(life: Lifecycle, root: string): Promise<undefined> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-restore-'));
  // If root runs the rehearsal, PostgreSQL's account must be able to enter this folder.
  chmodSync(folder, 0o711);
  life.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (name: string) => path.join(folder, name);
  const [one, two, saved] = [inFolder('one'), inFolder('two'), inFolder('backup')];
  const play = (what: string, dataDir: string, args: string[], refusal?: RegExp) =>
    step(what, async () => {
      const options = { cwd: root, env: environment(dataDir), signal: life.stop };
      const { code, output } = await run(process.execPath, args, options);
      const isAsMeant = refusal ? code === 1 && refusal.test(output) : code === 0;
      if (!isAsMeant) throw new UserError(`${what}: exit code ${code}.`, 'See above.', output);
    });
  const first = await startOn(life, root, one);
  await play('the demo', one, ['examples/demo.mjs', first.board]);
  await play('a backup', one, command('backup', saved));
  await first.stop();
  mkdirSync(two);
  await play('a restore', two, command('restore', saved));
  await play('no second restore', two, command('restore', saved), /database must be empty/);
  copyFileSync(path.join(one, 'secrets.json'), path.join(two, 'secrets.json'));
  const second = await startOn(life, root, two);
  const response = await fetch(`${second.board}/api/companies`);
  const companies = (await response.json()) as unknown[];
  if (companies.length !== 1) {
    throw new UserError('The company was not restored.', 'See the backup.');
  }
  await play('the demo', two, ['examples/demo.mjs', second.board]);
  await second.stop();
}

async function startOn(life: Lifecycle, root: string, dataDir: string) {
  const child = spawn(process.execPath, command('start'), {
    cwd: root,
    env: environment(dataDir),
    detached: true,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = () => end(child.pid, { waitMs: 30_000, now: life.now });
  life.onEnd(stop);
  for (;;) {
    const board: string | undefined = readJson(placesIn(dataDir).lockFile)?.urls?.board;
    if (board) return { board, stop };
    const over = await Promise.race([ended, new Promise((go) => setTimeout(go, 200, 'later'))]);
    if (over !== 'later') throw new UserError(`npm start ended with ${over}.`, 'Start it by hand.');
  }
}

const OWN =
  /^(DATABASE_URL|METRICS_DATABASE_URL|REDIS_URL|DATA_DIR|S3_BUCKET|.*_SECRET|SECRETS_.*|.*_PORT|HOST|AUTH_MODE)$/;

function environment(dataDir: string): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => OWN.test(name));
  const unset = ['DATABASE_URL', 'METRICS_DATABASE_URL', 'REDIS_URL', ...names];
  return {
    ...process.env,
    ...Object.fromEntries(unset.map((name) => [name, ''])),
    DATA_DIR: dataDir,
  };
}
