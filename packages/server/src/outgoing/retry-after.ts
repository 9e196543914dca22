/** Returns the requested pause in ms, at most `longestMs` (RFC 9110, section 10.2.3). */
export function parseRetryAfter(
  value: string | string[] | undefined,
  now = new Date(),
  longestMs = 3_600_000,
): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (!text || text.length > 64) return undefined;
  const isSeconds = /^\d+$/.test(text);
  if (!isSeconds && !/^[A-Z][a-z]+,? /.test(text)) return undefined;
  const milliseconds = isSeconds ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  if (Number.isNaN(milliseconds)) return undefined;
  return Math.min(Math.max(milliseconds, 0), longestMs);
}
