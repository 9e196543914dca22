import type { SecretReference } from '@switchyard/runner/agents/environment/agent-environment';
import { unprocessable } from '@switchyard/server';
import type { Tx } from '../../../kernel/call';
import { assertReferenced, shareSecrets } from '../../../state/references';
import { isSecretReference } from './mask-config';

type Stored = Pick<SecretReference, 'secretId'> & Partial<SecretReference>;

/**
 * A referenced secret cannot be deleted, so the result of this check stays valid.
 * @throws ApiError 403 `cross_company`, 422 `unknown_reference`, naming `adapterConfig.env.<NAME>`
 * or `adapterConfig.signingSecret`
 */
export async function assertSecretsExist(
  tx: Tx,
  adapterConfig: Record<string, unknown>,
): Promise<void> {
  const env = Object.entries((adapterConfig.env ?? {}) as Record<string, unknown>);
  const named: [string, unknown][] = [
    ...env.map(([name, value]): [string, unknown] => [`env.${name}`, value]),
    ['signingSecret', adapterConfig.signingSecret],
  ];
  const references = named.filter(([, value]) => isSecretReference(value)) as [string, Stored][];
  if (references.length === 0) return;
  const ids = references.map(([, { secretId }]) => String(secretId));
  const secrets = await shareSecrets(tx, ids);
  const known = new Map(secrets.map((secret) => [secret.id, secret]));
  for (const [name, { secretId, version = 'latest' }] of references) {
    const field = `adapterConfig.${name}`;
    const secret = known.get(String(secretId).toLowerCase());
    if (!secret) {
      const message = `${field} must name an existing secret of the company`;
      throw unprocessable('unknown_reference', message, { field });
    }
    assertReferenced(secret, tx.companyId, field);
    if (version !== 'latest' && version > secret.latestVersion) {
      const message = `${field}: the secret does not have this version`;
      throw unprocessable('unknown_reference', message, { field });
    }
  }
}
