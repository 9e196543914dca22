type Variables = Record<string, string | undefined>;

export type Reader =
  | 'operator'
  | 'api'
  | 'worker'
  | 'runner'
  | 'migrate'
  | 'metrics'
  | 'migrate-metrics';

export interface Keys {
  POSTGRES_PASSWORD: string;
  DATABASE_OWNER_PASSWORD: string;
  DATABASE_APP_PASSWORD: string;
  DATABASE_METRICS_PASSWORD: string;
  REDIS_PASSWORD: string;
  RUNNER_TOKEN: string;
  RUN_TOKEN_SECRET: string;
  SESSION_SECRET: string;
  SECRETS_MASTER_KEY: string;
}

const HANDED_ON: Record<string, Reader[]> = {
  BOOTSTRAP_TOKEN: ['api'],
  SECRETS_MASTER_KEY_OLD: ['operator', 'api', 'worker'],
  RUN_TOKEN_SECRET_OLD: ['api', 'worker'],
  SESSION_SECRET_OLD: ['api'],
  OIDC_CLIENT_SECRET: ['api'],
  RUNNER_TOKEN_OLD: ['worker'],
  S3_ACCESS_KEY_ID: ['operator', 'api', 'worker'],
  S3_SECRET_ACCESS_KEY: ['operator', 'api', 'worker'],
  METRICS_TOKEN: ['metrics'],
  METRICS_WEBHOOK_URL: ['metrics'],
  METRICS_WEBHOOK_SECRET: ['metrics'],
  EXCHANGE_API_KEY: ['metrics'],
  EXCHANGE_API_SECRET: ['metrics'],
  EXCHANGE_API_PASSWORD: ['metrics'],
};

const database = (user: string, password: string, name: string) =>
  `postgresql://${user}:${encodeURIComponent(password)}@postgres:5432/${name}`;

const inDatabase = (url: string, name: string) => url.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);

interface Databases {
  app: string;
  metrics: string;
  owners: Record<string, string>;
  operator: { DATABASE_URL: string; METRICS_DATABASE_URL: string };
}

function ownDatabases(keys: Keys): Databases {
  const owner = (name: string) => database('switchyard_owner', keys.DATABASE_OWNER_PASSWORD, name);
  return {
    app: database('switchyard_app', keys.DATABASE_APP_PASSWORD, 'switchyard'),
    metrics: database('switchyard_metrics', keys.DATABASE_METRICS_PASSWORD, 'switchyard_metrics'),
    owners: {
      DATABASE_ADMIN_URL: database('switchyard', keys.POSTGRES_PASSWORD, 'postgres'),
      DATABASE_OWNER_URL: owner('switchyard'),
      DATABASE_OWN_CLUSTER: 'true',
    },
    operator: {
      DATABASE_URL: owner('switchyard'),
      METRICS_DATABASE_URL: owner('switchyard_metrics'),
    },
  };
}

function givenDatabases(app: string, given: Variables): Databases {
  const metrics = given.METRICS_DATABASE_URL || inDatabase(app, 'switchyard_metrics');
  const owner = given.DATABASE_OWNER_URL;
  const nameOf = (url: string) => /\/([^/?]*)(?:\?.*)?$/.exec(url)?.[1] ?? '';
  const names = ['DATABASE_ADMIN_URL', 'DATABASE_OWNER_URL', 'DATABASE_OWN_CLUSTER'];
  const owners = names.flatMap((name) => (given[name] ? [[name, given[name]]] : []));
  return {
    app,
    metrics,
    owners: Object.fromEntries(owners),
    operator: {
      DATABASE_URL: owner ? inDatabase(owner, nameOf(app)) : app,
      METRICS_DATABASE_URL: owner ? inDatabase(owner, nameOf(metrics)) : metrics,
    },
  };
}

export function variablesOf(
  reader: Reader,
  keys: Keys,
  given: Variables,
  isLocal: boolean,
): Record<string, string> {
  const { app, metrics, owners, operator } = given.DATABASE_URL
    ? givenDatabases(given.DATABASE_URL, given)
    : ownDatabases(keys);
  const serves = {
    DATABASE_URL: app,
    REDIS_URL: given.REDIS_URL || `redis://:${keys.REDIS_PASSWORD}@redis:6379`,
    RUN_TOKEN_SECRET: keys.RUN_TOKEN_SECRET,
    SECRETS_MASTER_KEY: keys.SECRETS_MASTER_KEY,
    ...(isLocal && { TRUST_LOCAL_NETWORK: 'true' }),
  };
  const own: Record<Reader, Record<string, string>> = {
    operator: {
      ...operator,
      SECRETS_MASTER_KEY: keys.SECRETS_MASTER_KEY,
    },
    api: { ...serves, SESSION_SECRET: keys.SESSION_SECRET },
    worker: { ...serves, RUNNER_TOKEN: keys.RUNNER_TOKEN },
    runner: { RUNNER_TOKEN: keys.RUNNER_TOKEN },
    migrate: { ...owners, DATABASE_URL: app },
    metrics: { DATABASE_URL: metrics },
    'migrate-metrics': { ...owners, DATABASE_URL: metrics },
  };
  const handedOn = Object.entries(HANDED_ON).flatMap(([name, readers]) => {
    const value = given[name];
    return value && readers.includes(reader) ? [[name, value]] : [];
  });
  return { ...own[reader], ...Object.fromEntries(handedOn) };
}
