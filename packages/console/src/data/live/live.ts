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

/** Keeps what the screens have read up to date with the company's changes; the state is for the frame to show. */
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

/** Has read again what changes of these types may have changed; marked alone where nobody looks any more (`isOver`). */
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
 * Has answers read again. One that is on its way for the first time may be older than what happened, and the library would
 * take it for fresh: it is read once more when it is there.
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
 * Rows are patched where they stand, so only what a row does not say is read again: lists that it may enter or leave, and
 * sums. What is not recorded (output, spend) comes every second and makes nothing be read, unless it moves a row.
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
 * At once for the first change, then at most once a second, so that a busy company does not make a page read all
 * the time; and not before all is read, with a rest of three times as long, where much is shown: what is asked for anew
 * would end what is being read, and a board of many pages would never be whole. A tab that nobody sees waits until
 * somebody does. What waits still when it is stopped is marked alone (`isOver`), and read when it is shown again.
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
/** One answer that does not come holds up no other for longer. */
const AT_LEAST_EVERY_MS = 5_000;
const patience = () => new Promise((resolve) => setTimeout(resolve, AT_LEAST_EVERY_MS));
/** One act often makes several changes; they are taken together. */
const GATHER_MS = 20;
