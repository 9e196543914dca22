import { createHash } from 'node:crypto';

/**
 * Further texts are sent without a name, because each named statement uses memory in every
 * PostgreSQL session.
 */
const MAX_NAMES = 500;

/**
 * Names Prisma's statements, so that PostgreSQL parses and plans each text once per session. A text
 * gets its name on its second use, because texts with a value list rarely repeat.
 */
export function createStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const seenOnce = new Set<string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known) return known;
    if (names.size >= MAX_NAMES) return '';
    if (!seenOnce.delete(sql)) {
      if (seenOnce.size >= MAX_NAMES) seenOnce.clear();
      seenOnce.add(sql);
      return '';
    }
    const name = `p-${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
    names.set(sql, name);
    return name;
  };
}
