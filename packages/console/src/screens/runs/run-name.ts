import type { Schemas } from '../../data/api';
import { word } from '../../i18n';

type Named = Pick<Schemas['ListedRun'], 'issue' | 'reason' | 'source'>;

export const nameOfRun = (run: Named): string => run.issue?.title ?? reasonOf(run);

export const reasonOf = ({ reason, source }: Pick<Named, 'reason' | 'source'>): string =>
  reason === source ? word('runSource', source) : reason;
