import { useSyncExternalStore } from 'react';

const lists = new Map<number, MediaQueryList>();

function listBelow(width: number): MediaQueryList {
  const list = lists.get(width) ?? matchMedia(`(max-width: ${width - 0.1}px)`);
  lists.set(width, list);
  return list;
}

export const useIsBelow = (width: number): boolean =>
  useSyncExternalStore(
    (listener) => {
      const list = listBelow(width);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => listBelow(width).matches,
  );

export const useIsNarrow = (): boolean => useIsBelow(768);
