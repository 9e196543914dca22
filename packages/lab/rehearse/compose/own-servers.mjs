import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeAgent, startRun } from './agents.mjs';
import { answers, compose, composing, metricsAt, ROOT, say, until, up } from './project.mjs';

const password = () => randomBytes(24).toString('base64url');

function serversFile(folder, passwords) {
  const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
  const imageOf = (server) => new RegExp(`^ {4}image: (.*\\b${server}:.*)$`, 'm').exec(text)[1];
  const file = path.join(folder, 'postgres-password');
  writeFileSync(file, passwords.admin, { mode: 0o644 });
  const services = {
    'own-postgres': {
      image: imageOf('postgres'),
      environment: {
        POSTGRES_USER: 'admin',
        POSTGRES_DB: 'other',
        POSTGRES_PASSWORD_FILE: '/keys/postgres-password',
      },
      volumes: [`${file}:/keys/postgres-password:ro`],
      networks: ['outside', 'exchange'],
    },
    'own-redis': {
      image: imageOf('redis'),
      command: ['redis-server', '--requirepass', passwords.redis],
      volumes: ['/data'],
      networks: ['outside'],
    },
  };
  const made = path.join(folder, 'own-servers.yml');
  writeFileSync(made, JSON.stringify({ services }));
  return made;
}

/** Returns the settings of docs/containers.md, with the superuser's URL for the migrations. */
function settings({ admin, owner, app, metrics, redis }) {
  const at = 'own-postgres:5432';
  return {
    DATABASE_URL: `postgresql://switchyard_app:${app}@${at}/switchyard`,
    METRICS_DATABASE_URL: `postgresql://switchyard_metrics:${metrics}@${at}/switchyard_metrics`,
    DATABASE_OWNER_URL: `postgresql://switchyard_owner:${owner}@${at}/switchyard`,
    DATABASE_ADMIN_URL: `postgresql://admin:${admin}@${at}/postgres`,
    POSTGRES_REPLICAS: '0',
    REDIS_URL: `redis://:${redis}@own-redis:6379`,
    REDIS_REPLICAS: '0',
  };
}

/** Starts everything on the operator's own servers, and makes a backup of them. */
export async function useOwnServers(folder, image) {
  const names = ['admin', 'owner', 'app', 'metrics', 'redis'];
  const passwords = Object.fromEntries(names.map((name) => [name, password()]));
  const files = [serversFile(folder, passwords)];
  const extra = { ...image, ...settings(passwords) };
  const inPostgres = (...args) =>
    compose(['exec', '-T', 'own-postgres', ...args], { files, extra });
  try {
    await composing(['up', '-d', 'own-postgres', 'own-redis'], { files, extra });
    await until('PostgreSQL', async () =>
      inPostgres('pg_isready', '--username=admin', '--host=127.0.0.1'),
    );
    await up(extra, { files, profiles: ['metrics'] });
    await answers(`${metricsAt}/readyz`);
    for (const server of ['postgres', 'redis']) {
      assert.equal(compose(['ps', '-q', server], { files, extra }).trim(), '', server);
    }
    const agent = await makeAgent('Crane');
    await startRun(agent);
    const query = `PGPASSWORD=${passwords.admin} psql -h 127.0.0.1 -U admin -d switchyard -tAc 'SELECT name FROM company'`;
    assert.match(inPostgres('sh', '-c', query), /^Crane$/m);
    const asked = [
      'exec',
      '-T',
      '-e',
      `REDISCLI_AUTH=${passwords.redis}`,
      'own-redis',
      'redis-cli',
    ];
    assert.notEqual(Number(compose([...asked, 'dbsize'], { files, extra })), 0, 'Redis is empty');
    const volume = ['-v', `${folder}:/backups`];
    await composing(['run', '--rm', ...volume, 'operator', 'dist/bin/backup.js', '/backups/own'], {
      files,
      extra,
    });
    say('  rows and queues are on the own servers; postgres and redis of the file did not run');
  } finally {
    compose(['--profile', 'metrics', 'down', '-v'], { files, extra });
  }
}
