import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Writes what is known of an entity into every cached answer that holds it, wherever it stands there (a row of a
 * page, the answer itself). Rows are told by their `id`. Returns what puts the answers back.
 */
export function patchEntity(
  client: QueryClient,
  id: string,
  changes: Record<string, unknown>,
): () => void {
  const before: [QueryKey, unknown][] = [];
  for (const [key, data] of client.getQueriesData({})) {
    const patched = patchedIn(data, id, changes);
    if (patched === data) continue;
    before.push([key, data]);
    client.setQueryData(key, patched);
  }
  return () => {
    for (const [key, data] of before) client.setQueryData(key, data);
  };
}

/** The same object where nothing in it changed, so that no screen renders for nothing. */
export function patchedIn(data: unknown, id: string, changes: Record<string, unknown>): unknown {
  if (Array.isArray(data)) return patchedList(data, id, changes);
  if (typeof data !== 'object' || data === null) return data;
  const row = data as Record<string, unknown>;
  if (row.id === id) return patchedRow(row, changes);
  // The pages of an infinite list: { pages: [{ items: […] }] }; the columns of a board likewise.
  for (const field of ['pages', 'items', 'columns', 'issues'] as const) {
    const inner = row[field];
    if (!Array.isArray(inner)) continue;
    const patched = patchedList(inner, id, changes);
    return patched === inner ? data : { ...row, [field]: patched };
  }
  return data;
}

function patchedList(list: unknown[], id: string, changes: Record<string, unknown>): unknown[] {
  let copy: unknown[] | undefined;
  list.forEach((item, index) => {
    const patched = patchedIn(item, id, changes);
    if (patched === item) return;
    copy ??= [...list];
    copy[index] = patched;
  });
  return copy ?? list;
}

/** Only fields that the row has: a list's short row must not grow by what another view shows. */
function patchedRow(row: Record<string, unknown>, changes: Record<string, unknown>) {
  const known = Object.entries(changes).filter(
    ([field, value]) => field in row && !Object.is(row[field], value),
  );
  return known.length === 0 ? row : { ...row, ...Object.fromEntries(known) };
}
