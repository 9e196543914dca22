import { uniqueViolation } from '@switchyard/db';
import { type Answer, conflict } from '@switchyard/server';
import type { Scope } from '../../access/actor';
import { newestCursor, newestFirst, page } from '../../page';
import { presentSecret } from './present-secret';

/** Metadata only; the values stay in a table that this does not read (spec, "Secrets"). */
export async function listSecrets(
  scope: Scope,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { after, orderBy, take } = newestFirst(query);
  const where = { companyId: scope.companyId, ...after };
  const rows = await scope.db.prisma.secret.findMany({ where, orderBy, take });
  return page(rows, query.limit, presentSecret, newestCursor);
}

/** Names are unique in a company and compared exactly: they are often names of variables. */
export async function withUniqueName<T>(name: string | undefined, write: Promise<T>): Promise<T> {
  return write.catch((error: unknown) => {
    if (uniqueViolation(error) === null) throw error;
    throw conflict('name_taken', `a secret called ${name} exists already`, { field: 'name' });
  });
}
