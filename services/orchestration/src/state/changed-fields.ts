import { isDeepStrictEqual } from 'node:util';

export function changedFields<Row extends object>(
  before: Row,
  wanted: Partial<Row>,
): (keyof Row & string)[] {
  const named = Object.keys(wanted) as (keyof Row & string)[];
  return named.filter((field) => !isSame(wanted[field], before[field]));
}

function isSame(wanted: unknown, present: unknown): boolean {
  return isDeepStrictEqual(momentOf(wanted, present), momentOf(present, wanted));
}

function momentOf(value: unknown, other: unknown): unknown {
  const isText = typeof value === 'string' && other instanceof Date;
  return isText ? new Date(value) : value;
}
