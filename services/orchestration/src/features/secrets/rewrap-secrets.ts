import { openPool } from '@switchyard/db';
import { createSecretBox } from '../../adapters/secret-box/secret-box';
import type { Config } from '../../config';
import { rewrapKeys } from './rewrap-keys';

/**
 * Re-encrypts data keys of the old master key with `SECRETS_MASTER_KEY` and returns the report.
 * @throws Error if data keys remain that neither key opens
 */
export async function rewrapSecrets({
  databaseUrl,
  masterKeys,
}: Pick<Config, 'databaseUrl' | 'masterKeys'>): Promise<string> {
  const pool = openPool({
    url: databaseUrl,
    size: 1,
    applicationName: 'switchyard-rewrap-secrets',
    onIdleError: () => undefined,
  });
  try {
    const { rewrapped, left } = await rewrapKeys(createSecretBox(masterKeys), pool);
    const done = `wrapped ${rewrapped} data keys with the master key\n`;
    if (left === 0) return done;
    throw new Error(
      `${done}${left} data keys could not be rewrapped: their master key is neither SECRETS_MASTER_KEY nor SECRETS_MASTER_KEY_OLD`,
    );
  } finally {
    await pool.end();
  }
}
