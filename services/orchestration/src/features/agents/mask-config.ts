/** What stands for a literal `env` value in every answer; sent back it means "as it was". */
export const MASK = '***';

/** A copy of an adapter configuration without the literal values of its `env` and `headers`. */
export function maskConfig(config: Record<string, unknown>): Record<string, unknown> {
  const masked = { ...config };
  for (const field of ['env', 'headers']) {
    const entries = config[field];
    if (typeof entries !== 'object' || entries === null) continue;
    masked[field] = Object.fromEntries(
      Object.entries(entries).map(([name, value]) => [
        name,
        typeof value === 'string' ? MASK : value,
      ]),
    );
  }
  return masked;
}

/** Puts stored values back where a client sent their mask. */
export function unmaskConfig(
  config: Record<string, unknown>,
  stored: Record<string, unknown>,
): Record<string, unknown> {
  const whole = { ...config };
  for (const field of ['env', 'headers']) {
    const entries = config[field];
    const before = stored[field] as Record<string, unknown> | undefined;
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) continue;
    whole[field] = Object.fromEntries(
      Object.entries(entries).map(([name, value]) => [
        name,
        value === MASK && typeof before?.[name] === 'string' ? before[name] : value,
      ]),
    );
  }
  return whole;
}
