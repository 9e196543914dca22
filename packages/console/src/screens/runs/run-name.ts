import type { Schemas } from '../../data/api';
import { word } from '../../i18n';

type Named = Pick<Schemas['ListedRun'], 'issue' | 'reason' | 'source'>;

/** A run is called by its task; one without a task by why it was woken. */
export const nameOfRun = (run: Named): string => run.issue?.title ?? reasonOf(run);

/** Where no reason was given, the service says the source. */
export const reasonOf = ({ reason, source }: Pick<Named, 'reason' | 'source'>): string =>
  reason === source ? word('runSource', source) : reason;
