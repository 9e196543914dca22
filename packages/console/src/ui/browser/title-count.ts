import { useSyncExternalStore } from 'react';

let count = 0;
const listeners = new Set<() => void>();

export function setTitleCount(next: number): void {
  count = next;
  for (const listener of listeners) listener();
}

export const useTitleCount = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => count,
  );
