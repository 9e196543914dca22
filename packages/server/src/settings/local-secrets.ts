import { randomBytes } from 'node:crypto';

/** Secrets that local mode creates and authenticated mode requires. */
export const LOCAL_SECRETS = {
  RUN_TOKEN_SECRET: () => randomBytes(32).toString('base64url'),
  SESSION_SECRET: () => randomBytes(32).toString('base64url'),
  SECRETS_MASTER_KEY: () => randomBytes(32).toString('base64'),
};

export const OWN_SECRETS = {
  RUNNER_TOKEN: () => randomBytes(32).toString('base64url'),
};
