/**
 * Settings that may be given as `<NAME>_FILE`, the path of a file that holds the value. Those of the exchange are read by
 * the metrics service itself, which starts without them and says so in its health.
 */
export const SECRET_SETTINGS: readonly string[] = [
  'DATABASE_URL',
  'METRICS_DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_ADMIN_URL',
  'REDIS_URL',
  'RUN_TOKEN_SECRET',
  'SESSION_SECRET',
  'SECRETS_MASTER_KEY',
  'SECRETS_MASTER_KEY_OLD',
  'BOOTSTRAP_TOKEN',
  'RUNNER_TOKEN',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'METRICS_TOKEN',
];
