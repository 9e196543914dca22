import { isDeepStrictEqual } from 'node:util';

/** The fields of `wanted` that differ from the row as it stands; none means nothing to write or record. */
export function changedFields<Row extends object>(
  before: Row,
  wanted: Partial<Row>,
): (keyof Row & string)[] {
  const named = Object.keys(wanted) as (keyof Row & string)[];
  return named.filter((field) => !isDeepStrictEqual(wanted[field], before[field]));
}
