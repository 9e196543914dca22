import {
  createBeside,
  databaseName,
  reason,
  withClient,
  withDatabase,
} from './postgres/client.mjs';
import { readPlace } from './postgres/place.mjs';
import { adopt, urlOf } from './postgres/server.mjs';
import { startPostgres } from './postgres/start.mjs';
import { problem } from './problem.mjs';
import { step } from './terminal/steps.mjs';

const NAMES = { orchestration: 'switchyard_orchestration', metrics: 'switchyard_metrics' };
const VARIABLES = { orchestration: 'DATABASE_URL', metrics: 'METRICS_DATABASE_URL' };

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

async function useGiven(root, given) {
  const urls = { ...given };
  if (given.orchestration) await check(root, VARIABLES.orchestration, given.orchestration);
  if (given.orchestration && !given.metrics) {
    await createBeside(root, given.orchestration, NAMES.metrics);
    urls.metrics = withDatabase(given.orchestration, NAMES.metrics);
  }
  if (given.metrics) await check(root, VARIABLES.metrics, given.metrics);
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
  const url = (name) => env[VARIABLES[name]] || urlOf(server, NAMES[name]);
  return { orchestration: url('orchestration'), metrics: url('metrics') };
}

/** Both databases' addresses, and the server of ours where one was needed. */
export async function provideDatabases(life, settings) {
  const { root, env } = settings;
  const given = { orchestration: env.DATABASE_URL, metrics: env.METRICS_DATABASE_URL };
  const urls =
    given.orchestration || given.metrics
      ? await step('reach the given databases', () => useGiven(root, given))
      : {};
  const missing = Object.keys(NAMES).filter((name) => !urls[name]);
  if (missing.length === 0) return { urls };
  const server = await startPostgres(
    life,
    settings,
    missing.map((name) => NAMES[name]),
  );
  for (const name of missing) urls[name] = urlOf(server.current.server, NAMES[name]);
  return { urls, server };
}
