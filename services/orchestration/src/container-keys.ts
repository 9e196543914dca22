import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { EnvironmentError } from '@switchyard/server';

type Variables = Record<string, string | undefined>;

/** What local trusted mode makes for itself, and authenticated mode must be given (contract 17). */
const MAKERS = {
  RUN_TOKEN_SECRET: () => randomBytes(32).toString('base64url'),
  SESSION_SECRET: () => randomBytes(32).toString('base64url'),
  SECRETS_MASTER_KEY: () => randomBytes(32).toString('base64'),
};

/** Handed on where they are set. */
const OPTIONAL = ['SECRETS_MASTER_KEY_OLD', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

const readKept = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** Whole or not at all: a half-written key would lose what is encrypted with it. */
function write(file: string, text: string, mode: number): void {
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
}

/** In the form that `node --env-file` reads. @throws EnvironmentError for what that form cannot hold */
function environmentFile(variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(([name, value]) => {
    if (/['\r\n]/.test(value)) {
      throw new EnvironmentError(`${name} may have no quote and no line break here`);
    }
    return `${name}='${value}'\n`;
  });
  return lines.join('');
}

function appSecrets(given: Variables, kept: Variables, isLocal: boolean): Record<string, string> {
  const missing: string[] = [];
  const secrets: Record<string, string> = {};
  for (const [name, make] of Object.entries(MAKERS)) {
    const value = given[name] || (isLocal ? kept[name] || make() : undefined);
    if (value) secrets[name] = value;
    else missing.push(`  ${name}: is missing`);
  }
  if (missing.length > 0) {
    throw new EnvironmentError(`The environment is not usable:\n${missing.join('\n')}`);
  }
  return secrets;
}

/**
 * Prepares what containers on one machine start with, in files of `folder`: `orchestration.env`,
 * `metrics.env` and `postgres-password`. What is given wins, what was made before is kept, and the rest
 * is made, but in authenticated mode, where the operator chooses the secrets (guarantee G25).
 * @throws EnvironmentError naming all that is missing
 */
export function writeContainerKeys(given: Variables, folder: string): void {
  const isLocal = (given.AUTH_MODE || 'local_trusted') === 'local_trusted';
  const file = (name: string) => join(folder, name);
  mkdirSync(folder, { recursive: true });
  const kept = parseEnv(readKept(file('orchestration.env')));
  const password =
    given.POSTGRES_PASSWORD ||
    readKept(file('postgres-password')) ||
    randomBytes(24).toString('base64url');
  const database = (name: string) =>
    `postgresql://switchyard:${encodeURIComponent(password)}@postgres:5432/${name}`;
  const handedOn = OPTIONAL.flatMap((name) => (given[name] ? [[name, given[name]]] : []));
  const orchestration = environmentFile({
    DATABASE_URL: database('switchyard'),
    // For backup and restore, which take both.
    METRICS_DATABASE_URL: database('switchyard_metrics'),
    ...appSecrets(given, kept, isLocal),
    ...Object.fromEntries(handedOn),
    // Published on the host's loopback alone; with sign-in it has no meaning and would be refused.
    ...(isLocal && { TRUST_LOCAL_NETWORK: 'true' }),
  });
  write(file('orchestration.env'), orchestration, 0o400);
  const metrics = { DATABASE_URL: database('switchyard_metrics') };
  write(file('metrics.env'), environmentFile(metrics), 0o400);
  // Read by the account of the database's own image.
  write(file('postgres-password'), password, 0o444);
}
