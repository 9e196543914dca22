import { isDeepStrictEqual } from 'node:util';

/** The fields of `wanted` that differ from the row as it stands; none means nothing to write or record. */
export function changedFields<Row extends object>(
  before: Row,
  wanted: Partial<Row>,
): (keyof Row & string)[] {
  const named = Object.keys(wanted) as (keyof Row & string)[];
  return named.filter((field) => !isSame(wanted[field], before[field]));
}

/** A row has a `Date` where a body has its text: they are the same when they are the same moment. */
function isSame(wanted: unknown, present: unknown): boolean {
  return isDeepStrictEqual(momentOf(wanted, present), momentOf(present, wanted));
}

function momentOf(value: unknown, other: unknown): unknown {
  const isText = typeof value === 'string' && other instanceof Date;
  return isText ? new Date(value) : value;
}
