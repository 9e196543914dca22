import { deferred } from '../deferred';
import { Skeleton } from '../states';

export const TextDiff = deferred(
  () => import('./diff-lines').then(({ DiffLines }) => DiffLines),
  () => <Skeleton rows={4} height={22} />,
);
