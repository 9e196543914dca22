import { spawnSync } from 'node:child_process';
import { ROOT } from './document-commands';

it('the repository has no unused file, export, type or dependency', () => {
  const args = ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toBe('');
  expect(status).toBe(0);
});
