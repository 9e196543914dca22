import { UserError } from '@switchyard/bootstrap/user-error';
import {
  createSiblingDatabase,
  databaseName,
  type PostgresServer,
  roleUrlOf,
  urlOf,
  withDatabase,
} from './postgres/client.js';
import { runningPostgres, startPostgres } from './postgres/start.js';
import type { KeptProcess } from './process/keep-up.js';
import type { Lifecycle } from './process/lifecycle.js';
import type { Settings } from './settings.js';

const NAMES = { orchestration: 'switchyard_orchestration', metrics: 'switchyard_metrics' };
const VARIABLES = { orchestration: 'DATABASE_URL', metrics: 'METRICS_DATABASE_URL' };

type Product = keyof typeof NAMES;

interface Access {
  url: string;
  ownerUrl: string;
  runner: Record<string, string>;
}

export type Databases = Record<Product, Access>;

/** These variables grant all rights, so only migrations, backup and restore receive them. */
export const OPERATORS_OWN = ['DATABASE_OWNER_URL', 'DATABASE_ADMIN_URL', 'DATABASE_OWN_CLUSTER'];

export async function provideDatabases(
  life: Lifecycle,
  settings: Settings,
): Promise<{ databases: Databases; server?: KeptProcess }> {
  const { env } = settings;
  const urls = await useGiven(settings);
  const isComplete = urls.orchestration && urls.metrics;
  const server = isComplete ? undefined : await startPostgres(life, settings, { durable: true });
  return { databases: ofBoth(env, urls, server), server };
}

export async function runningDatabases(
  settings: Settings,
  signal: AbortSignal,
): Promise<Databases> {
  const { env, dataDir } = settings;
  const server = await runningPostgres(settings, signal);
  if (!server) {
    throw new UserError(
      `Switchyard is already running on ${dataDir}, but its PostgreSQL does not respond.`,
      'Wait until it has started, or stop it, and try again.',
    );
  }
  const given = { orchestration: env.DATABASE_URL, metrics: env.METRICS_DATABASE_URL };
  return ofBoth(env, given, server);
}

function ofBoth(
  env: NodeJS.ProcessEnv,
  urls: Partial<Record<Product, string>>,
  server: PostgresServer | undefined,
): Databases {
  const access = (product: Product) => {
    const given = urls[product];
    return given ? givenAccess(env, given) : ownAccess(server as PostgresServer, product);
  };
  return { orchestration: access('orchestration'), metrics: access('metrics') };
}

function ownAccess(server: PostgresServer, product: Product): Access {
  const name = NAMES[product];
  const url = roleUrlOf(server, product, name);
  const ownerUrl = roleUrlOf(server, 'owner', name);
  const runner = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_ADMIN_URL: urlOf(server),
    DATABASE_OWN_CLUSTER: 'true',
  };
  return { url, ownerUrl, runner };
}

function givenAccess(env: NodeJS.ProcessEnv, url: string): Access {
  const { DATABASE_OWNER_URL = '', DATABASE_ADMIN_URL = '' } = env;
  const ownerUrl = DATABASE_OWNER_URL ? withDatabase(DATABASE_OWNER_URL, databaseName(url)) : url;
  return { url, ownerUrl, runner: { DATABASE_URL: url, DATABASE_OWNER_URL, DATABASE_ADMIN_URL } };
}

async function useGiven({ env }: Settings): Promise<Partial<Record<Product, string>>> {
  const { DATABASE_URL, METRICS_DATABASE_URL, DATABASE_OWNER_URL, DATABASE_ADMIN_URL } = env;
  const metrics =
    METRICS_DATABASE_URL || (DATABASE_URL && withDatabase(DATABASE_URL, NAMES.metrics));
  if (DATABASE_URL && !METRICS_DATABASE_URL && !DATABASE_ADMIN_URL) {
    if (DATABASE_OWNER_URL)
      await createSiblingDatabase(DATABASE_OWNER_URL, NAMES.metrics, 'DATABASE_OWNER_URL');
    else await createSiblingDatabase(DATABASE_URL, NAMES.metrics, 'DATABASE_URL');
  }
  return { orchestration: DATABASE_URL, metrics };
}

export function checkUrls({ env }: Settings): void {
  const names = ['DATABASE_OWNER_URL', 'DATABASE_ADMIN_URL'];
  for (const name of [...Object.values(VARIABLES), ...names]) checkUrl(name, env[name]);
}

export function checkUrl(variable: string, url: string | undefined): void {
  if (!url) return;
  const scheme = URL.canParse(url) ? new URL(url).protocol : '';
  if (/^postgres(ql)?:$/.test(scheme) && databaseName(url)) return;
  throw new UserError(
    `${variable} must be a PostgreSQL address with a database name.`,
    `Write it as postgresql://user:password@host:5432/${NAMES.orchestration}`,
  );
}
