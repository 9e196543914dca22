import type { Tx } from '@switchyard/db';
import { semantic } from '@switchyard/server';
import { isSecretReference } from './mask-config';

/**
 * Refuses references to secrets that the company does not have. No company has any as long as nothing
 * stores secrets, so every reference is unknown.
 * @throws Refusal 422 `unknown_reference` naming `adapterConfig.env.<NAME>`
 */
export async function assertSecretsExist(
  _tx: Tx,
  _companyId: string,
  adapterConfig: Record<string, unknown>,
): Promise<void> {
  const env = Object.entries((adapterConfig.env ?? {}) as Record<string, unknown>);
  const missing = env.find(([, value]) => isSecretReference(value));
  if (!missing) return;
  const field = `adapterConfig.env.${missing[0]}`;
  throw semantic('unknown_reference', `${field} names a secret that does not exist`, { field });
}
