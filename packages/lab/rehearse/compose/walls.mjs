import { strict as assert } from 'node:assert';
import { compose, inside, say } from './project.mjs';

const HOLDS = `
const { readFileSync, readdirSync, existsSync } = require('node:fs');
const names = readFileSync('/proc/1/environ', 'utf8').split('\\0').map((line) => line.split('=')[0]);
console.log(JSON.stringify({ names, keys: readdirSync('/keys'), other: existsSync('/handed-out/api/api.env'),
  text: readdirSync('/keys').map((name) => readFileSync('/keys/' + name, 'utf8')).join('') }));
`;

function holdsItsOwn() {
  const own = Object.fromEntries(
    ['api', 'worker', 'runner', 'metrics'].map((name) => [name, JSON.parse(inside(name, HOLDS))]),
  );
  for (const [name, { names, keys, other, text }] of Object.entries(own)) {
    assert.deepEqual(keys, [`${name}.env`]);
    assert.ok(!other, 'the keys of another');
    const secret = names.filter((one) =>
      /SECRET|PASSWORD|_KEY$|^DATABASE_URL|^REDIS_URL/.test(one),
    );
    assert.deepEqual(secret, [], `in the environment of process 1 of ${name}`);
    assert.doesNotMatch(text, /OWNER|ADMIN|switchyard:/, name);
  }
  assert.match(own.api.text, /^SESSION_SECRET=/m);
  assert.doesNotMatch(own.worker.text, /SESSION_SECRET/);
  assert.doesNotMatch(own.metrics.text, /SECRET|REDIS/);
  assert.match(own.runner.text, /^RUNNER_TOKEN='[^']+'\n$/);
  say(
    '  api, worker, runner and metrics have only their own keys, in files; the worker has no SESSION_SECRET',
  );
}

const ASK_REDIS = `
const { parseEnv } = require('node:util');
const { connect } = require('node:net');
const { password } = new URL(parseEnv(require('node:fs').readFileSync('/keys/worker.env', 'utf8')).REDIS_URL);
const ask = (text) => new Promise((resolve) => {
  const socket = connect(6379, 'redis', () => socket.write(text));
  socket.once('data', (answer) => { resolve(String(answer).trim()); socket.destroy(); });
});
(async () => console.log(JSON.stringify([
  await ask('PING\\r\\n'), await ask('KEYS *\\r\\n'), await ask('AUTH ' + password + '\\r\\nPING\\r\\n'),
])))();
`;

function redisAsks() {
  const [ping, keys, known] = JSON.parse(inside('worker', ASK_REDIS));
  assert.match(ping, /^-NOAUTH/);
  assert.match(keys, /^-NOAUTH/);
  assert.match(known, /^\+OK/);
  const cli = compose(['exec', '-T', 'redis', 'redis-cli', 'ping']);
  assert.match(cli, /NOAUTH/);
  say('  redis requires the password');
}

const ASK_POSTGRES = (reader) => `
const { parseEnv } = require('node:util');
const { readFileSync, realpathSync } = require('node:fs');
const db = realpathSync('/app/node_modules/@switchyard/db') + '/package.json';
const { Client } = require('node:module').createRequire(db)('pg');
const url = parseEnv(readFileSync('/keys/${reader}.env', 'utf8')).DATABASE_URL;
const ask = async (text, name) => {
  const there = new URL(url);
  if (name) there.pathname = '/' + name;
  const client = new Client({ connectionString: there.href });
  try { await client.connect(); const { rows } = await client.query(text); return rows; }
  catch (error) { return error.code; }
  finally { await client.end().catch(() => undefined); }
};
(async () => console.log(JSON.stringify([
  await ask('CREATE TABLE mine (id int)'), await ask("COPY _prisma_migrations FROM PROGRAM 'id'"), await ask('CREATE ROLE other'),
  await ask('SELECT 1', 'postgres'),
  await ask('SELECT 1', '${reader === 'metrics' ? 'switchyard' : 'switchyard_metrics'}'),
  await ask('SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user'),
])))();
`;

export function rolesHold(readers = ['api', 'worker', 'metrics']) {
  for (const reader of readers) {
    const answers = JSON.parse(inside(reader, ASK_POSTGRES(reader)));
    const refused = answers.slice(0, -1);
    assert.deepEqual(refused, Array(refused.length).fill('42501'), reader);
    assert.deepEqual(answers.at(-1), [
      { rolsuper: false, rolcreaterole: false, rolcreatedb: false },
    ]);
  }
  say(`  ${readers.join(', ')} may make no table, run no program and read no other database`);
}

const REACH = `
const { connect } = require('node:net');
const reach = (host, port) => new Promise((resolve) => {
  const socket = connect(port, host, () => { socket.destroy(); resolve(true); });
  socket.once('error', () => resolve(false));
  // This limit is long, because the engine may need several queries to resolve a name. It refuses
  // an unknown name immediately.
  socket.setTimeout(8_000, () => { socket.destroy(); resolve(false); });
});
(async () => console.log(JSON.stringify(await Promise.all([
  ['metrics', 3200], ['api', 3102], ['redis', 6379], ['postgres', 5432]].map((one) => reach(...one))))))();
`;

function wallsStand() {
  assert.deepEqual(JSON.parse(inside('worker', REACH)), [false, true, true, true]);
  assert.deepEqual(JSON.parse(inside('runner', REACH)), [false, true, false, false]);
  assert.deepEqual(JSON.parse(inside('metrics', REACH)), [true, false, false, true]);
  say(
    '  a runner reaches no server and no metrics service, which reaches neither the API nor Redis',
  );
}

export function checkWalls() {
  holdsItsOwn();
  redisAsks();
  rolesHold();
  wallsStand();
}
