const YEAR_10000 = Date.UTC(10_000, 0);

/** A time that an exchange says in milliseconds; null for none, and for one that no column holds, as in microseconds. */
export const readTime = (time: number | null | undefined): Date | null =>
  typeof time === 'number' && time >= 0 && time < YEAR_10000 ? new Date(time) : null;
