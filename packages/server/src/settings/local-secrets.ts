import { randomBytes } from 'node:crypto';

/** Makes what local trusted mode chooses for itself, and authenticated mode must be given. */
export const LOCAL_SECRETS = {
  RUN_TOKEN_SECRET: () => randomBytes(32).toString('base64url'),
  SESSION_SECRET: () => randomBytes(32).toString('base64url'),
  SECRETS_MASTER_KEY: () => randomBytes(32).toString('base64'),
};
