import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followCompany, type StreamEvent, type StreamState } from './stream';
import { isTouched } from './touches';

/** Keeps what the screens have read up to date with the company's events; the state is for the frame to show. */
export function useLive(companyId: string): StreamState {
  const client = useQueryClient();
  const [state, setState] = useState<StreamState>('connecting');
  useEffect(() => {
    const refresh = refresher((types) => {
      const predicate = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
        isTouched(String(path), types);
      void client.invalidateQueries({ predicate });
    });
    const unfollow = followCompany(companyId, {
      onEvent: (event: StreamEvent) => refresh.touch(event.entityType),
      onGap: () => void client.invalidateQueries(),
      onState: setState,
    });
    return () => {
      unfollow();
      refresh.stop();
    };
  }, [client, companyId]);
  return state;
}

/**
 * At once for the first event, then at most once a second, so that a busy company does not make a page read all
 * the time. A tab that nobody sees waits until somebody does.
 */
function refresher(invalidate: (types: ReadonlySet<string>) => void) {
  let waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.size === 0 || document.hidden) return;
    const types = waiting;
    waiting = new Set();
    timer = setTimeout(flush, AT_MOST_EVERY_MS);
    invalidate(types);
  };
  const onVisible = () => timer ?? flush();
  document.addEventListener('visibilitychange', onVisible);
  return {
    touch(type: string) {
      waiting.add(type);
      if (timer === undefined) timer = setTimeout(flush, GATHER_MS);
    },
    stop() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}

const AT_MOST_EVERY_MS = 1_000;
/** One change often makes several events; they are taken together. */
const GATHER_MS = 20;
