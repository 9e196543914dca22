import {
  type QueryClient,
  type QueryFilters,
  type QueryKey,
  replaceEqualDeep,
} from '@tanstack/react-query';

export function patchEntity(
  client: QueryClient,
  id: string,
  changes: Record<string, unknown>,
  filters: QueryFilters = {},
): () => void {
  const undo: (() => void)[] = [];
  for (const [key, before] of client.getQueriesData(filters)) {
    if (!hasRows(key)) continue;
    const patched = patchedIn(before, id, changes);
    if (patched !== before) undo.push(replaceAnswer(client, key, patched));
  }
  return () => {
    for (const each of undo) each();
  };
}

/**
 * Writes a row from the stream into every cached answer, and into answers in flight, which may be
 * older. Further pages of a board are never refetched, so this function must keep them current.
 * Calls `onMoved` if the row's status changed, so that sums are refreshed.
 */
export function writeRow(
  client: QueryClient,
  id: string,
  row: Record<string, unknown>,
  onMoved: () => void,
): void {
  patchEntity(client, id, row);
  for (const { promise, queryKey } of client.getQueryCache().getAll()) {
    if (!promise || !hasRows(queryKey)) continue;
    patchesBehind(promise).set(id, () => {
      const known = rowIn(client.getQueryData(queryKey), id);
      if (!known || isNewer(known, row)) return;
      patchEntity(client, id, row, { queryKey, exact: true });
      if (known.status !== row.status) onMoved();
    });
  }
}

const waiting = new WeakMap<Promise<unknown>, Map<string, () => void>>();

function patchesBehind(promise: Promise<unknown>): Map<string, () => void> {
  const known = waiting.get(promise);
  if (known) return known;
  const patches = new Map<string, () => void>();
  waiting.set(promise, patches);
  promise.then(
    () => {
      for (const patch of patches.values()) patch();
    },
    () => undefined,
  );
  return patches;
}

const hasRows = ([path]: QueryKey) => path !== 'search';

function isNewer(known: Record<string, unknown>, update: Record<string, unknown>): boolean {
  const [one, other] = [known.updatedAt, update.updatedAt];
  return typeof one === 'string' && typeof other === 'string' && one > other;
}

/**
 * Marks queries stale. A cancelled fetch restores the old state, so the mark is repeated after a
 * failed fetch. With `mayBeOlder`, the mark is also repeated after a successful fetch.
 */
export function markOld(client: QueryClient, filters: QueryFilters, mayBeOlder = false): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    const mark = () => query.invalidate();
    mark();
    query.promise?.then(mayBeOlder ? mark : undefined, mark);
  }
}

/**
 * Writes an answer before the service confirms it. Returns an undo function, which refetches the
 * answer and restores its previous state, unless the state has changed since.
 */
export function replaceAnswer(client: QueryClient, key: QueryKey, answer: unknown): () => void {
  const before = client.getQueryData(key);
  const after = write(client, key, answer);
  return () => {
    if (client.getQueryData(key) === after) write(client, key, before);
    void client.invalidateQueries({ queryKey: key, exact: true });
  };
}

function write(client: QueryClient, key: QueryKey, data: unknown): unknown {
  const state = client.getQueryState(key);
  const written = client.setQueryData(key, data, { updatedAt: state?.dataUpdatedAt });
  if (state?.isInvalidated) markOld(client, { queryKey: key, exact: true });
  return written;
}

const CONTAINERS = ['pages', 'items', 'columns', 'issues'] as const;

function heldBy(row: Record<string, unknown>) {
  const field = row.kind;
  const held = typeof field === 'string' ? row[field] : undefined;
  if (typeof field !== 'string' || typeof held !== 'object' || held === null) return undefined;
  return { field, row: held as Record<string, unknown> };
}

export function patchedIn(data: unknown, id: string, changes: Record<string, unknown>): unknown {
  if (Array.isArray(data)) return patchedList(data, id, changes);
  if (typeof data !== 'object' || data === null) return data;
  const row = data as Record<string, unknown>;
  const held = heldBy(row);
  if (held?.row.id === id) {
    const patched = patchedRow(held.row, changes);
    return patched === held.row ? data : { ...row, [held.field]: patched };
  }
  if (row.id === id) return patchedRow(row, changes);
  for (const field of CONTAINERS) {
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

function patchedRow(row: Record<string, unknown>, changes: Record<string, unknown>) {
  const known = Object.entries(changes)
    .filter(([field, value]) => field in row && !isShorter(row[field], value))
    .map(([field, value]) => [field, replaceEqualDeep(row[field], value)] as const)
    .filter(([field, value]) => !Object.is(row[field], value));
  return known.length === 0 ? row : { ...row, ...Object.fromEntries(known) };
}

function isShorter(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const [next] = after;
  if (typeof next !== 'object' || next === null) return false;
  const [first] = before;
  if (typeof first !== 'object' || first === null) return true;
  return Object.keys(first).some((field) => !(field in next));
}

export function cachedRow(client: QueryClient, id: string): Record<string, unknown> | undefined {
  for (const [key, data] of client.getQueriesData({})) {
    const found = hasRows(key) && rowIn(data, id);
    if (found) return found;
  }
  return undefined;
}

function rowIn(data: unknown, id: string): Record<string, unknown> | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (!Array.isArray(data)) {
    const row = data as Record<string, unknown>;
    const held = heldBy(row);
    if (held?.row.id === id) return held.row;
    return row.id === id
      ? row
      : rowIn(CONTAINERS.map((field) => row[field]).find(Array.isArray), id);
  }
  for (const item of data) {
    const found = rowIn(item, id);
    if (found) return found;
  }
  return undefined;
}
