import type { Tx } from '@switchyard/db';

/** Held by whoever looks whether a person exists and acts on it, so that there is one first person. */
export async function isNobodyThere(tx: Tx): Promise<boolean> {
  await tx.$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended('first person', 0))) lock`;
  return (await tx.person.count()) === 0;
}
