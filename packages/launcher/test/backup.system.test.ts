import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { alive, launch, makeStandIn, removeStandIn } from './stand-in';

let root: string;

beforeAll(() => {
  root = makeStandIn();
});
afterAll(() => removeStandIn(root));

async function play(...command: string[]) {
  return playWith({}, ...command);
}

async function playWith(env: Record<string, string>, ...command: string[]) {
  const one = launch(root, { INIT_CWD: root, ...env }, command);
  const code = await one.exit;
  const facts = /facts (\{.*\})/.exec(one.text())?.[1];
  return { code, text: one.text(), facts: facts && JSON.parse(facts) };
}

const kept = () => JSON.parse(readFileSync(path.join(root, '.data/secrets.json'), 'utf8'));
const NAMES = ['switchyard_orchestration', 'switchyard_metrics'];
const OWNER = ['switchyard_owner', 'switchyard_owner'];

test('npm run restore fills a new data folder, and npm run backup saves the data of npm start', async () => {
  const nothing = await play('backup', 'folder');
  expect(nothing.code).toBe(1);
  expect(nothing.text).toMatch(/\.data contains no database, and DATABASE_URL is not set/);
  expect(existsSync(path.join(root, '.data/postgres.json'))).toBe(false);
  expect((await play('backup')).text).toMatch('npm run backup -- <folder>');

  const keyless = await play('restore', '/a/folder');
  expect(keyless.code).toBe(0);
  expect(keyless.text).not.toMatch('SECRETS_MASTER_KEY set');

  const restored = await playWith({ SECRETS_MASTER_KEY: 'given' }, 'restore', '/a/folder');
  expect(restored.facts).toMatchObject({
    folder: '/a/folder',
    names: NAMES,
    roles: OWNER,
    SECRETS_MASTER_KEY: 'given',
  });
  expect(restored.text).toMatch('SECRETS_MASTER_KEY is not stored in DATA_DIR: keep it set');
  expect(existsSync(path.join(root, '.data/secrets.json'))).toBe(false);

  const running = launch(root);
  await running.says(/API reference/);
  const beside = await play('backup', 'folder');
  expect(beside.code).toBe(0);
  expect(beside.facts).toMatchObject({
    command: 'backup',
    folder: path.join(root, 'folder'),
    names: NAMES,
    roles: OWNER,
    DATA_DIR: path.join(root, '.data'),
    SECRETS_MASTER_KEY: kept().SECRETS_MASTER_KEY,
  });
  const refused = await play('restore', 'folder');
  expect([refused.code, refused.facts]).toEqual([1, undefined]);
  expect(refused.text).toMatch(`(process ${running.child.pid})`);
  expect(running.child.exitCode).toBeNull();
  running.child.kill('SIGINT');
  expect(await running.exit).toBe(0);

  const encrypted = ['--encrypt-to', 'age1x', '--passphrase-file=own.txt', '--identity', '/b'];
  const stopped = await play('backup', 's3://backups/folder', ...encrypted);
  expect(stopped.facts).toMatchObject({
    folder: 's3://backups/folder',
    options: [
      ...encrypted.slice(0, 2),
      `--passphrase-file=${path.join(root, 'own.txt')}`,
      ...encrypted.slice(3),
    ],
    names: NAMES,
    roles: OWNER,
  });
  const folderless = await play('backup', '--encrypt-to', 'age1x');
  expect(folderless.text).toMatch('The command requires a folder as its first argument.');
  expect(alive(root)).toEqual([]);
});
