import { ask, type Database, statement } from '@switchyard/db';
import type { Role } from '@switchyard/types';
import type { BoardActor } from './actor';

const findMemberships = statement('find-memberships', {
  takes: { userId: 'uuid' },
  gives: { isAdministrator: 'bool', companyId: 'uuid?', role: 'text?' },
  sql: ({ userId }) => `
    SELECT p.is_administrator AS "isAdministrator", m.company_id AS "companyId", m.role
    FROM person p LEFT JOIN membership m ON m.user_id = p.id WHERE p.id = ${userId}`,
});

/** A person with its present memberships, so that a change of role holds from the next request on. */
export async function findBoard(db: Database, userId: string): Promise<BoardActor | null> {
  const rows = await ask(db, findMemberships, { userId });
  if (!rows[0]) return null;
  const roles = new Map<string, Role>();
  for (const { companyId, role } of rows) if (companyId && role) roles.set(companyId, role as Role);
  return { type: 'board', userId, roles, isAdministrator: rows[0].isAdministrator };
}
