import { lazy, Suspense } from 'react';
import { Skeleton } from '../states';

const Lines = lazy(() => import('./diff-lines').then(({ DiffLines }) => ({ default: DiffLines })));

/** What changed from one text to the next, line by line; the comparison is loaded with the first one. */
export const TextDiff = (texts: { before: string; after: string }) => (
  <Suspense fallback={<Skeleton rows={4} height={22} />}>
    <Lines {...texts} />
  </Suspense>
);
