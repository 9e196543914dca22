import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { say } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { run, runInTerminal } from '@switchyard/launcher/process/run';

const NOT_MEANT = ['/node_modules/', '/dist/', '/packages/testing/test/'];

/**
 * `npm run rehearse -- upgrade [tag or commit] …`: runs the tests of the previous version on this
 * schema, in a clone, as old replicas do during a rolling upgrade. Without a tag or commit it uses
 * the newest tag. Further arguments go to jest.
 */
export async function rehearseUpgrade(
  life: Lifecycle,
  root: string,
  [named, ...args]: string[],
): Promise<number> {
  const commit = await previousVersion(root, named);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-upgrade-'));
  life.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  await git(root, 'clone', '--quiet', '--no-checkout', root, folder);
  await git(folder, 'checkout', '--quiet', '--detach', commit);
  const added = advance(root, folder);
  say(`code of ${named ?? commit} on a schema that is newer by: ${added.join(', ') || 'nothing'}`);
  const options = { cwd: folder, waitMs: 15_000 };
  const words = [...testOf(folder), ...args, '--testPathIgnorePatterns', ...NOT_MEANT];
  return runInTerminal(life, process.execPath, words, options);
}

function testOf(folder: string): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return scripts.test.replace(/^node /, '').split(' ');
}

async function previousVersion(root: string, named: string | undefined): Promise<string> {
  if (named) return git(root, 'rev-parse', '--verify', `${named}^{commit}`);
  const { code, output } = await run('git', ['describe', '--tags', '--abbrev=0'], { cwd: root });
  if (code === 0) return output.trim();
  throw new UserError(
    'No tag exists from which an upgrade can start.',
    'npm run rehearse -- upgrade <tag or commit>',
  );
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const { code, output } = await run('git', args, { cwd });
  if (code !== 0) throw new UserError(`git ${args[0]} failed.`, 'See the text above.', output);
  return output.trim();
}

function advance(root: string, old: string): string[] {
  return ['orchestration', 'metrics'].flatMap((product) => {
    const migrations = path.join('prisma', product, 'migrations');
    const [from, to] = [path.join(root, migrations), path.join(old, migrations)];
    const known = readdirSync(to);
    for (const name of known.filter((each) => /^\d/.test(each))) {
      const [now, then] = [from, to].map((folder) =>
        readFileSync(path.join(folder, name, 'migration.sql'), 'utf8'),
      );
      if (now === then) continue;
      throw new UserError(
        `${product}/${name} was changed since.`,
        'Undo it: write a new migration.',
      );
    }
    cpSync(from, to, { recursive: true });
    return readdirSync(from)
      .filter((name) => !known.includes(name))
      .map((name) => `${product}/${name}`);
  });
}
