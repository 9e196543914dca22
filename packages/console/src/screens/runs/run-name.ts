import type { Schemas } from '../../data/api';
import { word } from '../../i18n';

type Named = Pick<Schemas['ListedRun'], 'issue' | 'reason' | 'source'>;

/** The name of a run is its issue's; without one, the reason of its wake. */
export const nameOfRun = (run: Named): string => run.issue?.title ?? reasonOf(run);

/** Without a reason the service sends the source. */
export const reasonOf = ({ reason, source }: Pick<Named, 'reason' | 'source'>): string =>
  reason === source ? word('runSource', source) : reason;
