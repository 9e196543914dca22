import { ask, type RowOf, select, statement, type Transaction } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { EndpointView } from '@switchyard/types';

export const ENDPOINT = {
  id: 'uuid',
  companyId: 'uuid',
  description: 'text?',
  host: 'text',
  events: 'text[]?',
  shape: 'text',
  status: 'text',
  disabledReason: 'text?',
  failingSince: 'time?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

export type LockedEndpoint = RowOf<typeof lockRow>;

export async function lockEndpoint(tx: Transaction, endpointId: string): Promise<LockedEndpoint> {
  const [found] = await ask(tx, lockRow, { endpointId });
  if (!found) throw notFound('endpoint');
  return found;
}

export function presentEndpoint(endpoint: LockedEndpoint): EndpointView {
  const {
    secretVersion: _version,
    target: _target,
    keyId: _key,
    masterKeyId: _masterKey,
    wrappedKey: _wrapped,
    ...shown
  } = endpoint;
  return shown as EndpointView;
}

const lockRow = statement('lock-endpoint', {
  takes: { endpointId: 'uuid' },
  gives: {
    ...ENDPOINT,
    secretVersion: 'int',
    target: 'bytes',
    keyId: 'uuid',
    masterKeyId: 'text',
    wrappedKey: 'bytes',
  },
  sql: ({ endpointId }) => `
    SELECT ${select(ENDPOINT, 'e')}, e.secret_version AS "secretVersion", e.target,
      k.id AS "keyId", k.master_key_id AS "masterKeyId", k.wrapped_key AS "wrappedKey"
    FROM endpoint e JOIN secret_key k ON k.id = e.target_key_id
    WHERE e.id = ${endpointId} FOR NO KEY UPDATE OF e`,
});
