import { useSyncExternalStore } from 'react';

const NARROW = matchMedia('(max-width: 767.9px)');

/** The width below which a row takes more lines; the same border as Tailwind's `md`. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      NARROW.addEventListener('change', listener);
      return () => NARROW.removeEventListener('change', listener);
    },
    () => NARROW.matches,
  );
