import type { SecretModel } from '@switchyard/db';
import { Reply } from '@switchyard/server';
import type { ListedSecretView, SecretView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { newestFirstList } from '../../lists/newest-first';
import { userName } from '../../lists/row-facts';
import { countUsers } from './secret-users';

export async function listSecrets(
  { db, companyId }: Call,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<ListedSecretView[]>> {
  const { body, options } = await readSecrets(db, { ...query, companyId });
  const users = await countUsers(db, companyId);
  const shown = body.map((row) => ({ ...row, usedByCount: users.get(row.id) ?? 0 }));
  return new Reply(shown, options);
}

const readSecrets = newestFirstList('list-secrets', {
  table: 'secret',
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    name: 'text',
    description: 'text?',
    latestVersion: 'int',
    createdByUserId: 'text?',
    createdAt: 'time',
    updatedAt: 'time',
  },
  derived: { createdByName: ['text?', userName('listed.created_by_user_id')] },
});

export function presentSecret(row: SecretModel): SecretView {
  return {
    id: row.id,
    companyId: row.companyId,
    name: row.name,
    description: row.description,
    latestVersion: row.latestVersion,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const ROTATE = 'rotate it, or choose another name';
