const YEAR_10000 = Date.UTC(10_000, 0);

/**
 * Converts a time in ms; null if it is missing or outside the column's range, e.g. because it is in
 * microseconds.
 */
export const readTime = (time: number | null | undefined): Date | null =>
  typeof time === 'number' && time >= 0 && time < YEAR_10000 ? new Date(time) : null;
