import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { problem } from './problem.mjs';
import { end } from './process/end.mjs';
import { ORDER } from './process/life.mjs';
import { readJson } from './process/lock.mjs';
import { run } from './process/run.mjs';
import { step } from './terminal/steps.mjs';

const OWN =
  /^(DATABASE_URL|METRICS_DATABASE_URL|REDIS_URL|DATA_DIR|FILE_STORE|.*_SECRET|SECRETS_.*|.*_PORT|HOST|AUTH_MODE)$/;

/** Whatever the surroundings and .env say: this rehearsal touches nothing but its own folder. */
const environment = (dataDir) => ({
  ...process.env,
  ...Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => OWN.test(name))
      .map((name) => [name, '']),
  ),
  DATABASE_URL: '',
  METRICS_DATABASE_URL: '',
  REDIS_URL: '',
  DATA_DIR: dataDir,
});

const bin = (name) => path.join('packages/launcher', name);

/** `npm start` on `dataDir`; answers the board's address and what stops it. */
async function started(life, root, dataDir) {
  const options = { cwd: root, env: environment(dataDir), detached: true, stdio: 'ignore' };
  const child = spawn(process.execPath, [bin('bin/start.mjs')], options);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = () => end(child.pid, { waitMs: 30_000, now: life.now });
  life.onEnd(ORDER.services, stop);
  for (;;) {
    const board = readJson(path.join(dataDir, 'run/launcher.json'))?.urls?.board;
    if (board) return { board, stop };
    const over = await Promise.race([ended, new Promise((go) => setTimeout(go, 200, 'later'))]);
    if (over !== 'later') throw problem(`npm start ended with ${over}.`, 'Start it by hand.');
  }
}

/**
 * The commands themselves: a demonstration is saved beside the system that played it, comes back into an
 * empty one, is refused a second time, and can be played again there.
 */
export async function rehearseRestore(life, root) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-restore-'));
  // The account of PostgreSQL passes through when root starts it.
  chmodSync(folder, 0o711);
  life.onEnd(ORDER.folders, () => rmSync(folder, { recursive: true, force: true }));
  const [one, two, saved] = ['one', 'two', 'backup'].map((name) => path.join(folder, name));
  const play = (what, dataDir, args, refusal) =>
    step(what, async () => {
      const options = { cwd: root, env: environment(dataDir), signal: life.stop };
      const { code, output } = await run(process.execPath, args, options);
      const isAsMeant = refusal ? code === 1 && refusal.test(output) : code === 0;
      if (!isAsMeant) throw problem(`${what}: exit code ${code}.`, 'See above.', output);
      return { text: what };
    });
  const demo = (board, dataDir) => play('the demo', dataDir, [bin('demo/demo.mjs'), board]);
  const first = await started(life, root, one);
  await demo(first.board, one);
  await play('a backup', one, [bin('bin/backup.mjs'), saved]);
  await first.stop();
  const restore = [bin('bin/restore.mjs'), saved];
  mkdirSync(two);
  await play('a restore', two, restore);
  await play('no second restore', two, restore, /database is not empty/);
  copyFileSync(path.join(one, 'secrets.json'), path.join(two, 'secrets.json'));
  const second = await started(life, root, two);
  const answer = await fetch(`${second.board}/api/companies`);
  const companies = await answer.json();
  if (companies.length !== 1) throw problem('The company did not come back.', 'See the backup.');
  await demo(second.board, two);
  await second.stop();
}
