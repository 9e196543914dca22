const OLDEST = [6, 2];

/** `Redis server v=7.0.15 sha=…` and `Valkey server v=8.0.1 sha=…`. */
export function parseRedisVersion(text) {
  const found = /\b(Redis|Valkey) server v=(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (!found) return undefined;
  const numbers = found.slice(2).map(Number);
  return { product: found[1], numbers, text: numbers.join('.') };
}

export function isRecent({ numbers: [major, minor] }) {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
