import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { EnvironmentError, LOCAL_SECRETS, OWN_SECRETS } from '@switchyard/server';
import { type Keys, type Reader, variablesOf } from './container-variables';

type Variables = Record<string, string | undefined>;

const password = () => randomBytes(24).toString('base64url');

const PASSWORDS = {
  POSTGRES_PASSWORD: password,
  DATABASE_OWNER_PASSWORD: password,
  DATABASE_APP_PASSWORD: password,
  DATABASE_METRICS_PASSWORD: password,
  REDIS_PASSWORD: password,
  ...OWN_SECRETS,
};

const KEPT = 'keys.env';

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/**
 * Writes atomically, because a partly written key would make the data that it encrypts unreadable.
 */
function write(file: string, text: string, mode: number): void {
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
}

/**
 * Formats variables for `node --env-file`.
 * @throws EnvironmentError for unsupported values
 */
function environmentFile(variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(([name, value]) => {
    if (/['\r\n]/.test(value)) {
      throw new EnvironmentError(
        `${name} must not contain single quotes or line breaks in an environment file`,
      );
    }
    return `${name}='${value}'\n`;
  });
  return lines.join('');
}

function keysOf(given: Variables, kept: Variables, isLocal: boolean): Keys {
  const missing: string[] = [];
  const pick = (makers: Record<string, () => string>, mayMake: boolean) =>
    Object.entries(makers).map(([name, make]) => {
      const value = given[name] || (mayMake ? kept[name] || make() : undefined);
      if (!value) missing.push(`  ${name}: is missing`);
      return [name, value];
    });
  const keys = Object.fromEntries([...pick(PASSWORDS, true), ...pick(LOCAL_SECRETS, isLocal)]);
  if (missing.length === 0) return keys;
  throw new EnvironmentError(`The environment is not usable:\n${missing.join('\n')}`);
}

/**
 * Writes all keys to `folder`, and each reader's keys to its folder in `handedOut`. Configured
 * values have priority over existing ones. Generates the missing keys, except secrets that the
 * operator must choose in authenticated mode.
 * @throws EnvironmentError naming all missing values
 */
export function writeContainerKeys(given: Variables, folder: string, handedOut: string): void {
  const isLocal = (given.AUTH_MODE || 'local_trusted') === 'local_trusted';
  mkdirSync(folder, { recursive: true });
  const keys = keysOf(given, parseEnv(textOf(join(folder, KEPT))), isLocal);
  const files: [Reader, string][] = [
    ['operator', join(folder, 'operator.env')],
    ['api', join(handedOut, 'api', 'api.env')],
    ['worker', join(handedOut, 'worker', 'worker.env')],
    ['runner', join(handedOut, 'runner', 'runner.env')],
    ['migrate', join(handedOut, 'migrate', 'migrate.env')],
    ['metrics', join(handedOut, 'metrics', 'metrics.env')],
    ['migrate-metrics', join(handedOut, 'migrate-metrics', 'migrate.env')],
  ];
  const texts = files.map(([reader, file]) => ({
    file,
    text: environmentFile(variablesOf(reader, keys, given, isLocal)),
  }));
  write(join(folder, KEPT), environmentFile({ ...keys }), 0o400);
  for (const { file, text } of texts) {
    mkdirSync(join(file, '..'), { recursive: true });
    write(file, text, 0o400);
  }
  const ofServers = {
    'postgres/postgres-password': keys.POSTGRES_PASSWORD,
    'redis/redis.conf': `requirepass ${keys.REDIS_PASSWORD}\n`,
  };
  for (const [file, text] of Object.entries(ofServers)) {
    mkdirSync(join(handedOut, file, '..'), { recursive: true });
    write(join(handedOut, file), text, 0o444);
  }
}
