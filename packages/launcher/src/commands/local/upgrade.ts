import { existsSync } from 'node:fs';
import path from 'node:path';
import { isSame } from '@switchyard/bootstrap/identity';
import { readJson } from '@switchyard/bootstrap/lock';
import { say, step } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import type { Lifecycle } from '../../process/lifecycle.js';
import { runOrFail } from '../../process/run.js';
import { isReleased, PACKAGE_FILE, releaseVersion } from '../../program-file.js';
import { loadEnvFile, readSettings } from '../../settings.js';
import { backUp } from '../backup.js';

export async function upgrade(life: Lifecycle, root: string, words: string[]): Promise<number> {
  const [wanted = 'latest', ...more] = words;
  const installed = installedIn();
  if (more.length > 0 || wanted.startsWith('-')) {
    throw new UserError(
      'upgrade accepts one argument, a version.',
      'Run: switchyard upgrade 1.2.3',
    );
  }
  loadEnvFile(root);
  const { dataDir, lockFile } = readSettings(root, process.env);
  if (isSame(readJson(lockFile))) {
    throw new UserError(`Switchyard is running on ${dataDir}.`, 'Stop it first: switchyard stop');
  }
  if (existsSync(dataDir)) {
    const time = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
    await backUp(life, root, [path.join(root, 'backups', `${releaseVersion}-${time}`)]);
  }
  await step(`install switchyard ${wanted}`, async () => {
    const isFile = wanted.includes(path.sep) || wanted.endsWith('.tgz');
    const of = isFile ? path.resolve(wanted) : `switchyard@${wanted}`;
    const args = ['install', '--no-audit', '--no-fund', ...installed, of];
    const options = { cwd: root, signal: life.stop };
    await runOrFail('npm', args, options, ['npm could not install it.', 'See the error above.']);
  });
  say('Start the new version: switchyard start');
  return 0;
}

function installedIn(): string[] {
  if (!isReleased) {
    throw new UserError(
      'This Switchyard runs from a git checkout.',
      'Upgrade it with git: UPGRADING.md has the steps.',
    );
  }
  const modules = path.resolve(path.dirname(PACKAGE_FILE), '../../../../..');
  const folder = path.dirname(modules);
  if (folder.includes(`${path.sep}_npx${path.sep}`)) {
    throw new UserError(
      'This Switchyard was started by npx, which does not install it.',
      'Stop, back up, and start the next version: npx switchyard@latest start',
    );
  }
  if (path.basename(folder) !== 'lib') return ['--prefix', folder];
  return ['--global', '--prefix', path.dirname(folder)];
}
