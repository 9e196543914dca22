import type { Context } from '../../../context';
import { rehint } from '../../../state/rehint';
import { forgetSignatures } from '../../../state/routines/signatures';

const BATCH = 500;

/** Repeats the hint for firings that no worker has in hand, and forgets signatures whose timestamp is too old anyway. */
export async function sweepFirings(context: Pick<Context, 'db' | 'hints'>): Promise<number> {
  const hinted = await rehint(context, 'routine-firings');
  await forgetSignatures(context.db, BATCH);
  return hinted;
}
