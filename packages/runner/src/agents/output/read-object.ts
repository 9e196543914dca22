export function readObject(line: string): Record<string, unknown> | null {
  if (!/^\s*\{/.test(line)) return null;
  try {
    return JSON.parse(line.replace(/^\uFEFF/, '')) as Record<string, unknown>;
  } catch {
    return null;
  }
}
