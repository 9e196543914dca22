import {
  createBeside,
  databaseName,
  reason,
  withClient,
  withDatabase,
} from './postgres/client.mjs';
import { readPlace } from './postgres/place.mjs';
import { roleUrlOf } from './postgres/roles.mjs';
import { adopt, urlOf } from './postgres/server.mjs';
import { startPostgres } from './postgres/start.mjs';
import { problem } from './problem.mjs';
import { step } from './terminal/steps.mjs';

const NAMES = { orchestration: 'switchyard_orchestration', metrics: 'switchyard_metrics' };
const VARIABLES = { orchestration: 'DATABASE_URL', metrics: 'METRICS_DATABASE_URL' };

/** What only the migration runner, backup and restore may know: with it a service could do anything. */
export const OPERATORS_OWN = ['DATABASE_OWNER_URL', 'DATABASE_ADMIN_URL', 'DATABASE_OWN_CLUSTER'];

async function check(root, variable, url) {
  try {
    await withClient(root, url, (client) => client.query('select 1'));
  } catch (error) {
    const missing = error.code === '3D000' && `Make it (createdb ${databaseName(url)}), or correct`;
    throw problem(
      `The database of ${variable} does not answer: ${reason(error)}`,
      `${missing || 'Start that server, or correct'} ${variable}; without it one is started here.`,
    );
  }
}

export function checkUrl(variable, url) {
  if (!url) return;
  const scheme = URL.canParse(url) ? new URL(url).protocol : '';
  if (/^postgres(ql)?:$/.test(scheme) && databaseName(url)) return;
  throw problem(
    `${variable} is not a PostgreSQL address with a database name.`,
    `Write it as postgresql://user:password@host:5432/${NAMES.orchestration}`,
  );
}

export function checkUrls({ env }) {
  const names = ['DATABASE_OWNER_URL', 'DATABASE_ADMIN_URL'];
  for (const name of [...Object.values(VARIABLES), ...names]) checkUrl(name, env[name]);
}

/**
 * A database in the three ways to it: `url` is the service's, `ownerUrl` that of backup and restore (the same
 * where no owner was given), `runner` the variables of the migration runner.
 */
function ownAccess(server, product) {
  const name = NAMES[product];
  const [url, ownerUrl] = [product, 'owner'].map((role) => roleUrlOf(server, role, name));
  const runner = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_ADMIN_URL: urlOf(server),
    DATABASE_OWN_CLUSTER: 'true',
  };
  return { url, ownerUrl, runner };
}

function givenAccess({ DATABASE_OWNER_URL, DATABASE_ADMIN_URL }, url) {
  const ownerUrl = DATABASE_OWNER_URL ? withDatabase(DATABASE_OWNER_URL, databaseName(url)) : url;
  const runner = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: DATABASE_OWNER_URL ?? '',
    DATABASE_ADMIN_URL: DATABASE_ADMIN_URL ?? '',
  };
  return { url, ownerUrl, runner };
}

/** With an admin the migration runner makes what is missing, roles and databases. */
async function useGiven({ root, env }, given) {
  const urls = { ...given };
  if (given.orchestration) urls.metrics ??= withDatabase(given.orchestration, NAMES.metrics);
  if (env.DATABASE_ADMIN_URL) {
    await check(root, 'DATABASE_ADMIN_URL', env.DATABASE_ADMIN_URL);
    return urls;
  }
  if (given.orchestration) await check(root, VARIABLES.orchestration, given.orchestration);
  if (given.metrics) await check(root, VARIABLES.metrics, given.metrics);
  else {
    const variable = env.DATABASE_OWNER_URL ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';
    await createBeside(root, env[variable], NAMES.metrics, variable);
  }
  return urls;
}

/** The databases of the `npm start` that runs on this DATA_DIR, whose server stays its own. */
export async function runningDatabases({ root, env, dataDir }, signal) {
  const server = await adopt({ root, ...readPlace(dataDir), signal });
  if (!server) {
    throw problem(
      `Switchyard runs on ${dataDir}, and its PostgreSQL does not answer.`,
      'Wait until it has started, or stop it, and try again.',
    );
  }
  const access = (product) => {
    const given = env[VARIABLES[product]];
    if (given) return givenAccess(env, given);
    const own = ownAccess(server, product);
    // Started by an earlier release, which has no owner.
    return { ...own, ownerUrl: own.ownerUrl ?? urlOf(server, NAMES[product]) };
  };
  return { orchestration: access('orchestration'), metrics: access('metrics') };
}

/** The ways to both databases, and the server of ours where one was needed. */
export async function provideDatabases(life, settings) {
  const { env } = settings;
  const given = {
    orchestration: env.DATABASE_URL || undefined,
    metrics: env.METRICS_DATABASE_URL || undefined,
  };
  const urls =
    given.orchestration || given.metrics
      ? await step('reach the given databases', () => useGiven(settings, given))
      : {};
  const isComplete = Object.keys(NAMES).every((name) => urls[name]);
  const server = isComplete ? undefined : await startPostgres(life, settings);
  const access = (product) =>
    urls[product] ? givenAccess(env, urls[product]) : ownAccess(server.current.server, product);
  const databases = { orchestration: access('orchestration'), metrics: access('metrics') };
  return { databases, server };
}
