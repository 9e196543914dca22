import type { Transaction } from '@switchyard/db';

/** Held by whoever looks whether a person exists and acts on it, so that there is one first person. */
export async function isNobodyThere(tx: Transaction): Promise<boolean> {
  await tx.prisma
    .$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended('first person', 0))) lock`;
  return (await tx.prisma.person.count()) === 0;
}
