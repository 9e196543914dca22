import {
  type QueryClient,
  type QueryFilters,
  type QueryKey,
  replaceEqualDeep,
} from '@tanstack/react-query';

/**
 * Writes what is known of an entity into every cached answer that holds it, wherever it stands there (a row of a
 * page, the answer itself). Rows are told by their `id`. Returns what takes it back, as `replaceAnswer` does.
 */
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
 * Writes a row as the service has told it. An answer that is on its way may have been read before: the row is written into
 * that too, once it is there. Further pages of a board are read again by no event, so nothing else would correct them; and
 * reading them once more would not end where something changes all the time. `onMoved`: it had another status there, so
 * that sums may count it where it was.
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

/** What is done once an answer is there: the last word on each row, since one may be asked for long while much is told. */
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

/** What a search found has the ids of rows, and other fields of the same names: the title of an agent found is its name. */
const hasRows = ([path]: QueryKey) => path !== 'search';

/** Whether the row that an answer has was changed after the one that was told. */
function isNewer(known: Record<string, unknown>, told: Record<string, unknown>): boolean {
  const [one, other] = [known.updatedAt, told.updatedAt];
  return typeof one === 'string' && typeof other === 'string' && one > other;
}

/**
 * Marks answers, to be read again when they are shown. A reading that ends without an answer, as all do whose screen is
 * left, puts its query back to what it was when the reading began: such a one is marked once more. `mayBeOlder`: so is one
 * that ends with an answer.
 */
export function markOld(client: QueryClient, filters: QueryFilters, mayBeOlder = false): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    const mark = () => query.invalidate();
    mark();
    query.promise?.then(mayBeOlder ? mark : undefined, mark);
  }
}

/**
 * Writes a cached answer before the service says so. Returns what takes it back: an answer that has changed since stays,
 * for it may be newer; either is read again.
 */
export function replaceAnswer(client: QueryClient, key: QueryKey, answer: unknown): () => void {
  const before = client.getQueryData(key);
  const after = write(client, key, answer);
  return () => {
    if (client.getQueryData(key) === after) write(client, key, before);
    void client.invalidateQueries({ queryKey: key, exact: true });
  };
}

/** When the answer was read stays as it is, and that it is to be read again: the rest of it is no newer. */
function write(client: QueryClient, key: QueryKey, data: unknown): unknown {
  const state = client.getQueryState(key);
  const written = client.setQueryData(key, data, { updatedAt: state?.dataUpdatedAt });
  if (state?.isInvalidated) markOld(client, { queryKey: key, exact: true });
  return written;
}

/** Where rows stand in answers that are no list: `{ pages: [{ items: […] }] }`, `{ columns: [{ issues: […] }] }`. */
const CONTAINERS = ['pages', 'items', 'columns', 'issues'] as const;

/** An entry of a thread has the row that it is about in the field of its kind: `{ kind: 'run', run: {…} }`. */
function heldBy(row: Record<string, unknown>) {
  const field = row.kind;
  const held = typeof field === 'string' ? row[field] : undefined;
  if (typeof field !== 'string' || typeof held !== 'object' || held === null) return undefined;
  return { field, row: held as Record<string, unknown> };
}

/** The same object where nothing in it changed, so that no screen renders for nothing. */
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

/** Only fields that the row has: a list's short row must not grow by what another view shows. */
function patchedRow(row: Record<string, unknown>, changes: Record<string, unknown>) {
  const known = Object.entries(changes)
    .filter(([field, value]) => field in row && !isShorter(row[field], value))
    .map(([field, value]) => [field, replaceEqualDeep(row[field], value)] as const)
    .filter(([field, value]) => !Object.is(row[field], value));
  return known.length === 0 ? row : { ...row, ...Object.fromEntries(known) };
}

/**
 * Whether a list of things may tell less of each than the one that is there: a routine's row has its triggers in
 * short. Such a list is read again.
 */
function isShorter(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const [next] = after;
  if (typeof next !== 'object' || next === null) return false;
  const [first] = before;
  if (typeof first !== 'object' || first === null) return true;
  return Object.keys(first).some((field) => !(field in next));
}

/** A row as some cached answer has it; undefined where none does. */
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
