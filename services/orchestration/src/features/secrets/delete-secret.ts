import { ask, statement } from '@switchyard/db';
import { conflict, notFound } from '@switchyard/server';
import type { SecretUser } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { findUsers } from './secret-users';

/**
 * Deletes a secret with all its versions. A concurrent reference either commits first and prevents
 * the deletion, or does not find the secret (`shareSecrets`).
 * @throws ApiError 409 that lists the secret's users, if any
 */
export async function deleteSecret(call: Call, secretId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const [secret] = await ask(tx, lockSecret, { secretId });
    if (!secret) throw notFound('secret');
    const { usedBy, usedByCount } = await findUsers(tx, secret);
    if (usedByCount > 0) {
      const message = `the secret is in use: ${saying(usedBy, usedByCount)}`;
      throw conflict('conflict', message, { usedBy, usedByCount, retry: false });
    }
    await tx.prisma.secretVersion.deleteMany({ where: { secretId } });
    await tx.prisma.secret.delete({ where: { id: secretId } });
    await tx.record('secret.deleted', secretId, { name: secret.name });
  });
}

const lockSecret = statement('lock-secret-for-deletion', {
  takes: { secretId: 'uuid' },
  gives: { id: 'uuid', companyId: 'uuid', name: 'text' },
  sql: ({ secretId }) => `
    SELECT id, company_id AS "companyId", name FROM secret WHERE id = ${secretId} FOR UPDATE`,
});

const MAX_SAID = 3;

function saying(users: SecretUser[], count: number): string {
  const named = users.slice(0, MAX_SAID).map(({ kind, name, fields }) => {
    const where = fields.length > 0 ? ` (${fields.join(', ')})` : '';
    return kind === 'run' ? `a live run of ${name}` : `${kind} ${name}${where}`;
  });
  return count > named.length
    ? `${named.join('; ')}; and ${count - named.length} more`
    : named.join('; ');
}
