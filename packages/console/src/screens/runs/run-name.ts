import type { Schemas } from '../../data/api';
import { word } from '../../i18n';

type Named = Pick<Schemas['ListedRun'], 'issue' | 'reason'>;

export const nameOfRun = (run: Named): string => run.issue?.title ?? reasonOf(run);

export const reasonOf = ({ reason }: Pick<Named, 'reason'>): string =>
  word('wakeReason', reason, word('runSource', reason, reason));
