import type { Database } from '@switchyard/db';
import type { Role } from '@switchyard/types';
import type { BoardActor } from './actor';

const FIND = `
  SELECT p.is_administrator, m.company_id, m.role FROM person p LEFT JOIN membership m ON m.user_id = p.id
  WHERE p.id = $1::uuid`;

/** A person with its present memberships, so that a change of role holds from the next request on. */
export async function findBoard(db: Database, userId: string): Promise<BoardActor | null> {
  const rows = await db.rows<{
    is_administrator: boolean;
    company_id: string | null;
    role: Role | null;
  }>('find-board', FIND, [userId]);
  if (!rows[0]) return null;
  const roles = new Map<string, Role>();
  for (const { company_id, role } of rows) if (company_id && role) roles.set(company_id, role);
  return { type: 'board', userId, roles, isAdministrator: rows[0].is_administrator };
}
