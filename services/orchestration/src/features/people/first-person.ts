import { ask, statement, type Transaction } from '@switchyard/db';

export async function isNobodyThere(tx: Transaction): Promise<boolean> {
  await ask(tx, lockFirstPerson, {});
  return (await tx.prisma.person.count()) === 0;
}

const lockFirstPerson = statement('lock-first-person', {
  takes: {},
  gives: {},
  sql: () => `SELECT FROM pg_advisory_xact_lock(hashtextextended('first person', 0))`,
});
