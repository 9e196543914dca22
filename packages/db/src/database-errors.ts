interface AnyDatabaseError {
  code?: unknown;
  originalCode?: unknown;
  constraint?: unknown;
  message?: unknown;
  meta?: { driverAdapterError?: AnyDatabaseError };
  cause?: AnyDatabaseError;
}

function chain(error: unknown): AnyDatabaseError[] {
  const found: AnyDatabaseError[] = [];
  let at = error as AnyDatabaseError | undefined;
  while (at && typeof at === 'object' && found.length < 8) {
    found.push(at);
    at = at.meta?.driverAdapterError ?? at.cause;
  }
  return found;
}

function sqlState(error: unknown): string | null {
  for (const node of chain(error)) {
    for (const code of [node.originalCode, node.code]) {
      if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^P\d{4}$/.test(code)) {
        return code;
      }
    }
  }
  const prisma = chain(error).map((node) => node.code);
  if (prisma.includes('P2002')) return '23505';
  if (prisma.includes('P2003')) return '23503';
  if (prisma.includes('P2034')) return '40001';
  return null;
}

export function isWriteConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

function constraintOf(error: unknown): string | null {
  for (const node of chain(error)) {
    const constraint = node.constraint;
    if (typeof constraint === 'string') return constraint;
    if (constraint && typeof constraint === 'object') {
      const { index, fields } = constraint as { index?: string; fields?: string[] };
      if (index) return index;
      if (fields) return fields.join(',');
    }
    const named = /constraint "([^"]+)"/.exec(String(node.message ?? ''));
    if (named?.[1]) return named[1];
  }
  return null;
}

export function uniqueViolation(error: unknown): string | null {
  return sqlState(error) === '23505' ? (constraintOf(error) ?? 'unknown') : null;
}

export function foreignKeyViolation(error: unknown): string | null {
  return sqlState(error) === '23503' ? (constraintOf(error) ?? 'unknown') : null;
}

const OF_A_ROW = ['21', '22', '23', '54'];

export const isRowRefused = (error: unknown): boolean =>
  OF_A_ROW.includes(sqlState(error)?.slice(0, 2) ?? '');
