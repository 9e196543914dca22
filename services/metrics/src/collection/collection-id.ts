/** `metrics_<date>_<time>` in UTC, to the second; with milliseconds when that second has one already. */
export function collectionIdAt(time: Date, precision: 'second' | 'millisecond'): string {
  const digits = time.toISOString().replace(/[-:.TZ]/g, '');
  const seconds = precision === 'second' ? digits.slice(8, 14) : digits.slice(8, 17);
  return `metrics_${digits.slice(0, 8)}_${seconds}`;
}
