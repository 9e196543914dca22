import type { Pool } from '@switchyard/db';
import {
  checkInvariant,
  readInvariants,
  type Violated,
} from '../src/observability/check-invariants';

export async function findViolations(
  db: Pick<Pool, 'query'>,
): Promise<Record<string, Violated['examples']>> {
  const found: Record<string, Violated['examples']> = {};
  for (const invariant of readInvariants()) {
    const { violations, examples } = await checkInvariant(db, invariant);
    if (violations > 0) found[invariant.name] = examples;
  }
  return found;
}
