import { repeat } from '@switchyard/async';
import { inTransaction, type OpenDatabase } from '@switchyard/db';
import { errorFields, logRepeated } from '@switchyard/server';
import type { SignIn } from '../../access/sign-in/sign-in';
import { SYSTEM } from '../../kernel/actor';
import { recordPerson } from './record-person';

const PAUSE_MS = 60_000;

type Counting = Pick<SignIn, 'failures' | 'logger'>;

export async function recordFailures(db: OpenDatabase, signIn: Counting): Promise<void> {
  const { failures, logger } = signIn;
  for (const [userId, count] of failures.take()) {
    const work = inTransaction(db, (tx) =>
      recordPerson(tx, userId, SYSTEM, 'person.sign_in_failed', { count }),
    );
    await work.catch((error: unknown) => {
      failures.note(userId, count);
      logRepeated(
        logger,
        'warn',
        'failed sign-ins could not be recorded; the next round retries',
        errorFields(error),
      );
    });
  }
}

export function startFailureRecords(
  db: OpenDatabase,
  signIn: Counting,
): { close(): Promise<void> } {
  const rounds = repeat(
    async () => {
      await recordFailures(db, signIn);
      return PAUSE_MS;
    },
    { firstMs: PAUSE_MS },
  );
  return {
    close: async () => {
      await rounds.close();
      await recordFailures(db, signIn);
    },
  };
}
