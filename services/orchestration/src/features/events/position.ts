/**
 * Where a row of activity stands among the events of its company: by transaction, then by order of
 * insertion. Sequence numbers alone would not do, because the transaction that took the smaller one
 * may commit last; see `read-events.ts`.
 */
export interface Position {
  transaction: bigint;
  sequence: bigint;
}

/** What a response shows at least. */
export const EVENT_POSITION = 'X-Event-Position';

/** Everything before the first row of `transaction`. */
export const beginningOf = (transaction: string): Position => ({
  transaction: BigInt(transaction),
  sequence: 0n,
});

export function isBefore(one: Position, other: Position): boolean {
  if (one.transaction !== other.transaction) return one.transaction < other.transaction;
  return one.sequence < other.sequence;
}

export const later = (one: Position, other: Position) => (isBefore(one, other) ? other : one);

/** The id of an event, and what `Last-Event-ID` brings back. */
export const formatPosition = (at: Position) => `${at.transaction}-${at.sequence}`;

/** Null for what `formatPosition` never writes; 18 digits stay below what PostgreSQL's types hold. */
export function parsePosition(text: string): Position | null {
  const [, transaction, sequence] = /^(\d{1,18})-(\d{1,18})$/.exec(text) ?? [];
  if (!transaction || !sequence) return null;
  return { transaction: BigInt(transaction), sequence: BigInt(sequence) };
}
