import { randomBytes } from 'node:crypto';

/** Makes what local trusted mode chooses for itself, and authenticated mode must be given. */
export const LOCAL_SECRETS = {
  RUN_TOKEN_SECRET: () => randomBytes(32).toString('base64url'),
  SESSION_SECRET: () => randomBytes(32).toString('base64url'),
  SECRETS_MASTER_KEY: () => randomBytes(32).toString('base64'),
};

/** What our own processes show one another, and nobody else ever: made in every mode where it is not given. */
export const OWN_SECRETS = {
  RUNNER_TOKEN: () => randomBytes(32).toString('base64url'),
};
