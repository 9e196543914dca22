import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { problem } from './problem.mjs';
import { end } from './process/end.mjs';
import { ORDER } from './process/life.mjs';
import { run } from './process/run.mjs';
import { say } from './terminal/steps.mjs';

const PRODUCTS = ['orchestration', 'metrics'];

/** What compares the migrations with the code's own schema: here they are meant to differ. */
const NOT_MEANT = ['/node_modules/', '/dist/', '/packages/testing/test/'];

async function git(cwd, ...args) {
  const { code, output } = await run('git', args, { cwd });
  if (code !== 0) throw problem(`git ${args[0]} failed.`, 'See the text above.', output);
  return output.trim();
}

async function release(root, named) {
  if (named) return git(root, 'rev-parse', '--verify', `${named}^{commit}`);
  const { code, output } = await run('git', ['describe', '--tags', '--abbrev=0'], { cwd: root });
  if (code === 0) return output.trim();
  throw problem('There is no tag to begin with.', 'npm run rehearse-upgrade -- <tag or commit>');
}

const migrationsOf = (root, product) => path.join(root, 'prisma', product, 'migrations');

/** Puts the schema of `root` under the code of `old`. Answers the names of what is new. */
function advance(root, old) {
  return PRODUCTS.flatMap((product) => {
    const [from, to] = [migrationsOf(root, product), migrationsOf(old, product)];
    const known = readdirSync(to);
    for (const name of known.filter((each) => /^\d/.test(each))) {
      const [now, then] = [from, to].map((folder) =>
        readFileSync(path.join(folder, name, 'migration.sql'), 'utf8'),
      );
      if (now === then) continue;
      throw problem(`${product}/${name} was changed since.`, 'Undo it: write a new migration.');
    }
    cpSync(from, to, { recursive: true });
    return readdirSync(from)
      .filter((name) => !known.includes(name))
      .map((name) => `${product}/${name}`);
  });
}

/** In its own group, as every `npm test`; it stops its own servers when it is told to. */
function testIn(life, folder, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['packages/launcher/bin/test.mjs', ...args], {
      cwd: folder,
      stdio: 'inherit',
    });
    life.onEnd(
      ORDER.services,
      () => child.pid && end(child.pid, { waitMs: 15_000, now: life.now }),
    );
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * Runs the test suite of an earlier release on the schema of this one, in a clone of its own: what a
 * rolling upgrade does to the replicas that have not been replaced yet. Further arguments go to jest.
 */
export async function rehearseUpgrade(life, root, [named, ...args]) {
  const commit = await release(root, named);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-upgrade-'));
  life.onEnd(ORDER.folders, () => rmSync(folder, { recursive: true, force: true }));
  await git(root, 'clone', '--quiet', '--no-checkout', root, folder);
  await git(folder, 'checkout', '--quiet', '--detach', commit);
  const added = advance(root, folder);
  say(`code of ${named ?? commit} on a schema that is newer by: ${added.join(', ') || 'nothing'}`);
  return testIn(life, folder, [...args, '--testPathIgnorePatterns', ...NOT_MEANT]);
}
