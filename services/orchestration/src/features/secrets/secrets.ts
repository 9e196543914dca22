import { type SecretModel, uniqueViolation } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { SecretView } from '@switchyard/types';
import type { Call } from '../../call';
import { newestCursor, newestFirst, page } from '../../lists/page';

/** Metadata only; the values stay in a table that this does not read (spec, "Secrets"). */
export async function listSecrets(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  const where = { companyId: call.companyId, ...after };
  const rows = await call.db.prisma.secret.findMany({ where, orderBy, take });
  return page(rows, query.limit, presentSecret, newestCursor);
}

/** Names are unique in a company and compared exactly: they are often names of variables. */
export async function withUniqueName<T>(name: string | undefined, write: Promise<T>): Promise<T> {
  return write.catch((error: unknown) => {
    if (uniqueViolation(error) === null) throw error;
    throw conflict('name_taken', `a secret called ${name} exists already`, { field: 'name' });
  });
}

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
