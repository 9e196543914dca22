import { ask, type RowOf, statement, type Transaction } from '@switchyard/db';

export async function insertToken(
  tx: Transaction,
  token: {
    id: string;
    userId: string;
    companyId: string | null;
    name: string;
    scope: string;
    prefix: string;
    hash: Uint8Array<ArrayBuffer>;
    expiresAt: string;
  },
): Promise<void> {
  await ask(tx, insert, token);
}

const insert = statement('insert-personal-token', {
  takes: {
    id: 'uuid',
    userId: 'uuid',
    companyId: 'uuid?',
    name: 'text',
    scope: 'text',
    prefix: 'text',
    hash: 'bytes',
    expiresAt: 'time',
  },
  gives: {},
  sql: (p) => `
    INSERT INTO personal_token (id, user_id, company_id, name, scope, prefix, hash, expires_at)
    VALUES (${p.id}, ${p.userId}, ${p.companyId}, ${p.name}, ${p.scope}, ${p.prefix}, ${p.hash},
      ${p.expiresAt})`,
});

export async function deleteTokens(
  tx: Transaction,
  userId: string,
  id: string | null = null,
): Promise<RowOf<typeof deleteOfPerson>[]> {
  return ask(tx, deleteOfPerson, { userId, id });
}

const deleteOfPerson = statement('delete-tokens-of-person', {
  takes: { userId: 'uuid', id: 'uuid?' },
  gives: { id: 'uuid', companyId: 'uuid?', name: 'text', scope: 'text', prefix: 'text' },
  sql: ({ userId, id }) => `
    DELETE FROM personal_token WHERE user_id = ${userId} AND (${id} IS NULL OR id = ${id})
    RETURNING id, company_id AS "companyId", name, scope, prefix`,
});
