import { createHash } from 'node:crypto';

/** Further texts are sent without a name: each name costs memory in every session of PostgreSQL. */
const MAX_NAMES = 500;

/**
 * Names the statements that Prisma generates, so that PostgreSQL parses and plans each text once per session. A text gets its name the second
 * time it is seen: the text of a value list depends on its length, and most of those never repeat.
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
