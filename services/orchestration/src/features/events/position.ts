/**
 * Orders activity by transaction, then by insertion. The order of `sequence` is not enough, because
 * the transaction with the smaller `sequence` may commit last; see `read-events.ts`.
 */
export interface Position {
  transaction: bigint;
  sequence: bigint;
}

export const EVENT_POSITION = 'X-Event-Position';

export const beginningOf = (transaction: string): Position => ({
  transaction: BigInt(transaction),
  sequence: 0n,
});

export function isBefore(one: Position, other: Position): boolean {
  if (one.transaction !== other.transaction) return one.transaction < other.transaction;
  return one.sequence < other.sequence;
}

export const later = (one: Position, other: Position) => (isBefore(one, other) ? other : one);

export const formatPosition = (at: Position) => `${at.transaction}-${at.sequence}`;

export function parsePosition(text: string): Position | null {
  const [, transaction, sequence] = /^(\d{1,18})-(\d{1,18})$/.exec(text) ?? [];
  if (!transaction || !sequence) return null;
  return { transaction: BigInt(transaction), sequence: BigInt(sequence) };
}
