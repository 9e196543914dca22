import { deferred } from '../deferred';
import { Skeleton } from '../states';

/** What changed from one text to the next, line by line; the comparison is loaded with the first one. */
export const TextDiff = deferred(
  () => import('./diff-lines').then(({ DiffLines }) => DiffLines),
  () => <Skeleton rows={4} height={22} />,
);
