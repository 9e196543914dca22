import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeAgent, startRun } from './agents.mjs';
import { answers, compose, composing, metricsAt, ROOT, say, until, up } from './project.mjs';

const password = () => randomBytes(24).toString('base64url');

const TLS_FILE = path.join(ROOT, 'examples/docker-compose.tls.yml');
const TLS_FOLDER = path.join(ROOT, 'tls');
const HOSTS = ['own-postgres', 'own-redis'];

function makeCertificates(folder) {
  const openssl = (...args) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Rehearsal authority'];
  openssl('req', '-x509', ...key, ...authority);
  const names = `subjectAltName=${HOSTS.map((name) => `DNS:${name}`).join(',')}`;
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-subj', '/CN=databases', '-addext', names];
  openssl('req', '-x509', ...key, ...signed, '-keyout', 'server.key', '-out', 'server.crt');
  for (const name of ['ca.pem', 'server.crt', 'server.key'])
    chmodSync(path.join(folder, name), 0o644);
  mkdirSync(TLS_FOLDER);
  copyFileSync(path.join(folder, 'ca.pem'), path.join(TLS_FOLDER, 'ca.pem'));
}

function serversFile(folder, passwords) {
  const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
  const imageOf = (server) => new RegExp(`^ {4}image: (.*\\b${server}:.*)$`, 'm').exec(text)[1];
  writeFileSync(path.join(folder, 'postgres-password'), passwords.admin, { mode: 0o644 });
  const services = {
    'own-postgres': {
      image: imageOf('postgres'),
      environment: {
        POSTGRES_USER: 'admin',
        POSTGRES_DB: 'other',
        POSTGRES_PASSWORD_FILE: '/keys/postgres-password',
      },
      volumes: [`${folder}:/keys:ro`],
      networks: ['outside', 'exchange'],
    },
    'own-redis': {
      image: imageOf('redis'),
      command: [
        ...['redis-server', '--requirepass', passwords.redis, '--port', '0', '--tls-port', '6379'],
        ...['--tls-cert-file', '/keys/server.crt', '--tls-key-file', '/keys/server.key'],
        ...['--tls-ca-cert-file', '/keys/ca.pem', '--tls-auth-clients', 'no'],
      ],
      volumes: ['/data', `${folder}:/keys:ro`],
      networks: ['outside'],
    },
  };
  const made = path.join(folder, 'own-servers.yml');
  writeFileSync(made, JSON.stringify({ services }));
  return made;
}

function settings({ admin, owner, app, metrics, redis }) {
  const addressOf = (role, password, database) =>
    `postgresql://${role}:${password}@own-postgres:5432/${database}?sslmode=verify-full&sslrootcert=/etc/switchyard/ca.pem`;
  return {
    DATABASE_URL: addressOf('switchyard_app', app, 'switchyard'),
    METRICS_DATABASE_URL: addressOf('switchyard_metrics', metrics, 'switchyard_metrics'),
    DATABASE_OWNER_URL: addressOf('switchyard_owner', owner, 'switchyard'),
    DATABASE_ADMIN_URL: addressOf('admin', admin, 'postgres'),
    POSTGRES_REPLICAS: '0',
    REDIS_URL: `rediss://:${redis}@own-redis:6379`,
    REDIS_CA_FILE: '/etc/switchyard/ca.pem',
    REDIS_REPLICAS: '0',
  };
}

/** PostgreSQL only accepts a key file that its own account owns. */
const USE_TLS = `
data=$(PGPASSWORD="$0" psql -h 127.0.0.1 -U admin -d other -tAc 'SHOW data_directory')
for one in server.crt server.key; do install -o postgres -m 600 "/keys/$one" "$data/$one"; done
PGPASSWORD="$0" psql -h 127.0.0.1 -U admin -d other -c 'ALTER SYSTEM SET ssl = on' -c 'SELECT pg_reload_conf()'`;

const WITHOUT_TLS = `SELECT count(*) FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
  WHERE client_addr <> '127.0.0.1' AND NOT ssl`;

export async function useOwnServers(folder, image) {
  const names = ['admin', 'owner', 'app', 'metrics', 'redis'];
  const passwords = Object.fromEntries(names.map((name) => [name, password()]));
  makeCertificates(folder);
  const files = [serversFile(folder, passwords), TLS_FILE];
  const extra = { ...image, ...settings(passwords) };
  const inPostgres = (...args) =>
    compose(['exec', '-T', 'own-postgres', ...args], { files, extra });
  try {
    await composing(['up', '-d', 'own-postgres', 'own-redis'], { files, extra });
    await until('PostgreSQL', async () =>
      inPostgres('pg_isready', '--username=admin', '--host=127.0.0.1'),
    );
    inPostgres('sh', '-ec', USE_TLS, passwords.admin);
    await up(extra, { files });
    await answers(`${metricsAt}/readyz`);
    for (const server of ['postgres', 'redis']) {
      assert.equal(compose(['ps', '-q', server], { files, extra }).trim(), '', server);
    }
    const agent = await makeAgent('Crane');
    await startRun(agent);
    const query = (sql) =>
      inPostgres(
        ...['sh', '-c', 'PGPASSWORD="$0" psql -h 127.0.0.1 -U admin -d switchyard -tAc "$1"'],
        ...[passwords.admin, sql],
      );
    assert.match(query('SELECT name FROM company'), /^Crane$/m);
    assert.equal(Number(query(WITHOUT_TLS)), 0, 'connections to PostgreSQL without TLS');
    const password = `REDISCLI_AUTH=${passwords.redis}`;
    const cli = ['own-redis', 'redis-cli', '--tls', '--cacert', '/keys/ca.pem'];
    const asked = ['exec', '-T', '-e', password, ...cli];
    assert.notEqual(Number(compose([...asked, 'dbsize'], { files, extra })), 0, 'Redis is empty');
    const volume = ['-v', `${folder}:/backups`];
    await composing(['run', '--rm', ...volume, 'operator', 'dist/bin/backup.js', '/backups/own'], {
      files,
      extra,
    });
    say(
      '  rows and queues are on the operator’s servers, over TLS only; postgres and redis of the compose file did not run',
    );
  } finally {
    compose(['down', '-v'], { files, extra });
    rmSync(TLS_FOLDER, { recursive: true });
  }
}
