/** The object of one line, also behind a byte order mark; null for anything else, also for a line that was cut or garbled. */
export function readObject(line: string): Record<string, unknown> | null {
  if (!/^\s*\{/.test(line)) return null;
  try {
    return JSON.parse(line.replace(/^\uFEFF/, '')) as Record<string, unknown>;
  } catch {
    return null;
  }
}
