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

/** Secrets without a default: handed on where they are set, to those who read them. */
const HANDED_ON: Record<string, Reader[]> = {
  BOOTSTRAP_TOKEN: ['api'],
  SECRETS_MASTER_KEY_OLD: ['operator', 'api', 'worker'],
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

/** The variables of one reader that are secret or follow from something secret. */
export function variablesOf(
  reader: Reader,
  keys: Keys,
  given: Variables,
  isLocal: boolean,
): Record<string, string> {
  // A database that is there before any other.
  const admin = database('switchyard', keys.POSTGRES_PASSWORD, 'postgres');
  const owner = (name: string) => database('switchyard_owner', keys.DATABASE_OWNER_PASSWORD, name);
  const app = database('switchyard_app', keys.DATABASE_APP_PASSWORD, 'switchyard');
  const metrics = database(
    'switchyard_metrics',
    keys.DATABASE_METRICS_PASSWORD,
    'switchyard_metrics',
  );
  const serves = {
    DATABASE_URL: app,
    REDIS_URL: `redis://:${keys.REDIS_PASSWORD}@redis:6379`,
    RUN_TOKEN_SECRET: keys.RUN_TOKEN_SECRET,
    RUNNER_TOKEN: keys.RUNNER_TOKEN,
    SECRETS_MASTER_KEY: keys.SECRETS_MASTER_KEY,
    // Published on the host's loopback alone; with sign-in it has no meaning and would be refused.
    ...(isLocal && { TRUST_LOCAL_NETWORK: 'true' }),
  };
  const migrates = {
    DATABASE_ADMIN_URL: admin,
    DATABASE_OWNER_URL: owner('switchyard'),
    // The server is Switchyard's alone, so its other databases are closed too.
    DATABASE_OWN_CLUSTER: 'true',
  };
  const own: Record<Reader, Record<string, string>> = {
    operator: {
      DATABASE_URL: owner('switchyard'),
      METRICS_DATABASE_URL: owner('switchyard_metrics'),
      SECRETS_MASTER_KEY: keys.SECRETS_MASTER_KEY,
    },
    api: { ...serves, SESSION_SECRET: keys.SESSION_SECRET },
    worker: serves,
    runner: { RUNNER_TOKEN: keys.RUNNER_TOKEN },
    migrate: { ...migrates, DATABASE_URL: app },
    metrics: { DATABASE_URL: metrics },
    'migrate-metrics': { ...migrates, DATABASE_URL: metrics },
  };
  const handedOn = Object.entries(HANDED_ON).flatMap(([name, readers]) => {
    const value = given[name];
    return value && readers.includes(reader) ? [[name, value]] : [];
  });
  return { ...own[reader], ...Object.fromEntries(handedOn) };
}
