import { openPool } from '@switchyard/db';
import { main } from '@switchyard/server';
import { createSecretBox } from '../adapters/secret-box/secret-box';
import { readRewrapConfig } from '../config';
import { rewrapKeys } from '../features/secrets/rewrap-keys';

/** Wraps the companies' data keys with `SECRETS_MASTER_KEY` where they are wrapped with the old one. */
void main(async () => {
  const { databaseUrl, masterKeys } = readRewrapConfig(process.env);
  const pool = openPool({
    url: databaseUrl,
    size: 1,
    applicationName: 'switchyard-rewrap-secrets',
    onIdleError: () => undefined,
  });
  try {
    const { rewrapped, left } = await rewrapKeys(createSecretBox(masterKeys), pool);
    process.stdout.write(`wrapped ${rewrapped} data keys with the master key\n`);
    if (left > 0) {
      throw new Error(
        `${left} data keys are wrapped with a master key that is neither SECRETS_MASTER_KEY nor SECRETS_MASTER_KEY_OLD`,
      );
    }
  } finally {
    await pool.end();
  }
});
