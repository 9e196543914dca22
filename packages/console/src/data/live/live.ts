import {
  type InvalidateQueryFilters,
  type QueryClient,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dismissOffline } from '../../ui/toast';
import { cachedRow, markOld, writeRow } from './patch';
import { type Change, followCompany, type StreamState } from './stream';
import { isTouched } from './touches';

export function useLive(companyId: string): StreamState {
  const client = useQueryClient();
  const [state, setState] = useState<StreamState>('connecting');
  useEffect(() => {
    const refresh = refresher((types, isOver) => readTouched(client, types, isOver));
    const unfollow = followCompany(companyId, {
      onChange: (change) => {
        for (const type of typesToRead(client, change)) refresh.touch(type);
        for (const { entityType, entityId, row } of change.rows)
          if (row) writeRow(client, entityId, row, () => refresh.touch(entityType));
      },
      onReset: () => void readAgain(client, {}),
      onState: (next) => {
        if (next === 'live') dismissOffline();
        setState(next);
      },
    });
    return () => {
      unfollow();
      refresh.stop();
    };
  }, [client, companyId]);
  return state;
}

export async function readTouched(
  client: QueryClient,
  types: ReadonlySet<string>,
  isOver: boolean,
): Promise<void> {
  const predicate = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
    isTouched(String(path), types);
  if (isOver) markOld(client, { predicate }, true);
  else await readAgain(client, { predicate });
}

/**
 * Refetches queries. A first fetch that is in flight may return data from before the event, which
 * the library would treat as fresh. Such a fetch is repeated once.
 */
export async function readAgain(
  client: QueryClient,
  filters: InvalidateQueryFilters,
): Promise<void> {
  const first = client
    .getQueryCache()
    .findAll(filters)
    .filter(({ state }) => state.fetchStatus === 'fetching' && state.data === undefined);
  await Promise.all([
    client.invalidateQueries(filters),
    ...first.map(async ({ promise, queryKey }) => {
      await promise?.catch(() => undefined);
      await client.invalidateQueries({ ...filters, queryKey, exact: true });
    }),
  ]);
}

/**
 * Returns the types whose queries must be refetched. Rows are patched in place, so only sums and
 * lists that a row may enter or leave need a refetch. Output and spend change every second, so they
 * cause no refetch unless they move a row.
 */
export function* typesToRead(client: QueryClient, { activity, rows }: Change): Generator<string> {
  if (activity) yield activity.entityType;
  for (const { entityType, entityId, row } of rows) {
    const known = cachedRow(client, entityId);
    if (entityType === 'company' && known?.spentMonthlyCents !== row?.spentMonthlyCents)
      yield 'cost_event';
    else if (!activity && (!row || !known || known.status !== row.status)) yield entityType;
  }
}

/**
 * Refreshes immediately, then at most once per second. A new request would cancel the current one,
 * so the pause is at least three times the duration of the previous refresh. A hidden tab waits
 * until it is visible. After a stop, only marks queries stale (`isOver`).
 */
export function refresher(
  invalidate: (types: ReadonlySet<string>, isOver: boolean) => Promise<unknown>,
) {
  let waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let isStopped = false;
  const flush = async () => {
    timer = undefined;
    if (waiting.size === 0 || document.hidden) return;
    const types = waiting;
    waiting = new Set();
    const began = Date.now();
    isReading = true;
    await Promise.race([invalidate(types, false).catch(() => undefined), patience()]);
    isReading = false;
    if (isStopped) return;
    const took = Date.now() - began;
    timer = setTimeout(
      flush,
      Math.max(AT_MOST_EVERY_MS - took, REST * Math.min(took, AT_LEAST_EVERY_MS)),
    );
  };
  const onVisible = () => {
    if (timer === undefined && !isReading) void flush();
  };
  document.addEventListener('visibilitychange', onVisible);
  return {
    touch(type: string) {
      waiting.add(type);
      if (timer === undefined && !isReading) timer = setTimeout(flush, GATHER_MS);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      if (waiting.size > 0) void invalidate(waiting, true);
    },
  };
}

const AT_MOST_EVERY_MS = 1_000;
const REST = 3;
const AT_LEAST_EVERY_MS = 5_000;
const patience = () => new Promise((resolve) => setTimeout(resolve, AT_LEAST_EVERY_MS));
const GATHER_MS = 20;
