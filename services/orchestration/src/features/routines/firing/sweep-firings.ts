import type { Context } from '../../../context';
import { rehintFirings } from '../../../state/routines/rehint-firings';
import { forgetSignatures } from '../../../state/routines/signatures';

const BATCH = 500;

/** Repeats the hint for firings that no worker has in hand, and forgets signatures whose timestamp is too old anyway. */
export async function sweepFirings({ db, hints }: Pick<Context, 'db' | 'hints'>): Promise<number> {
  const ids = await rehintFirings(db, BATCH);
  await Promise.all(ids.map((routineRunId) => hints.hint('routine-firings', { routineRunId })));
  await forgetSignatures(db, BATCH);
  return ids.length;
}
