import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { alive, launch, makeStandIn, removeStandIn } from './stand-in';

const ADMIN = `
const { pathname } = new URL(process.env.DATABASE_URL);
const { SECRETS_MASTER_KEY: key, SECRETS_MASTER_KEY_OLD: old } = process.env;
console.log('facts ' + JSON.stringify({ words: process.argv.slice(2), database: pathname, key, old }));
process.exit(process.argv[2] === 'fail' ? 1 : 0);
`;

let root: string;

beforeAll(() => {
  root = makeStandIn();
  writeFileSync(path.join(root, 'services/orchestration/dist/bin/admin.js'), ADMIN);
});
afterAll(() => removeStandIn(root));

async function play(env: Record<string, string>, ...words: string[]) {
  const one = launch(root, env, ['admin', ...words]);
  const code = await one.exit;
  const facts = /facts (\{.*\})/.exec(one.text())?.[1];
  return { code, text: one.text(), facts: facts && JSON.parse(facts) };
}

const OWN = '/switchyard_orchestration';

test('npm run admin uses DATABASE_URL, or the database of the last npm start if DATABASE_URL is not set', async () => {
  const nothing = await play({}, 'list-people');
  expect(nothing.code).toBe(1);
  expect(nothing.text).toMatch(/\.data contains no database, and DATABASE_URL is not set/);

  const DATABASE_URL = 'postgresql://somebody@127.0.0.1:1/elsewhere';
  const given = await play({ DATABASE_URL }, 'reset-password', 'a@example.com', '--stdin');
  const words = ['reset-password', 'a@example.com', '--stdin'];
  expect(given).toMatchObject({ code: 0, facts: { words, database: '/elsewhere' } });
  expect((await play({ DATABASE_URL: 'mysql://x/y' }, 'list-people')).text).toMatch('DATABASE_URL');

  const running = launch(root);
  await running.says(/API reference/);
  expect(await play({}, 'list-people')).toMatchObject({ code: 0, facts: { database: OWN } });
  expect(running.child.exitCode).toBeNull();
  running.child.kill('SIGINT');
  expect(await running.exit).toBe(0);

  expect(await play({}, 'fail')).toMatchObject({ code: 1, facts: { database: OWN } });
  expect(alive(root)).toEqual([]);
});

const SECRETS = () => path.join(root, '.data/secrets.json');
const kept = () => JSON.parse(readFileSync(SECRETS(), 'utf8'));

test('rotate-keys replaces every key of a stopped installation, and uses both master keys to rewrap the data keys', async () => {
  const before = kept();
  const { code, facts } = await play({}, 'rotate-keys');
  const after = kept();
  const [key, old] = [after.SECRETS_MASTER_KEY, before.SECRETS_MASTER_KEY];
  expect({ code, facts }).toEqual({
    code: 0,
    facts: { words: ['rewrap-secrets'], database: OWN, key, old },
  });
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
  for (const name of Object.keys(before)) expect(after[name]).not.toBe(before[name]);
});

test('rotate-keys continues an interrupted rotation with the stored previous key', async () => {
  const before = kept();
  writeFileSync(SECRETS(), JSON.stringify({ ...before, SECRETS_MASTER_KEY_OLD: 'previous' }));
  expect((await play({}, 'rotate-keys')).facts).toMatchObject({
    key: before.SECRETS_MASTER_KEY,
    old: 'previous',
  });
  expect(kept()).toEqual(before);
});

test('rotate-keys fails if the keys come from the environment, or if the installation is running', async () => {
  const given = await play({ SECRETS_MASTER_KEY: 'given' }, 'rotate-keys');
  expect(given.text).toMatch('SECRETS_MASTER_KEY is not in');
  const running = launch(root);
  await running.says(/API reference/);
  expect((await play({}, 'rotate-keys')).text).toMatch('already running');
  running.child.kill('SIGINT');
  await running.exit;
});
