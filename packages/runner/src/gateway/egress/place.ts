export interface Place {
  host: string;
  port: number;
}

const NAME = '[a-z0-9_](?:[a-z0-9_.-]{0,252})';
const AUTHORITY = new RegExp(`^(?:\\[([0-9a-f:.]{2,45})\\]|(${NAME}))(?::([0-9]{1,5}))?$`, 'i');

/**
 * Parses the `host:port` of a CONNECT request or of an absolute URL. Returns null for any other
 * text, e.g. with a user name.
 */
export function readPlace(authority: string, defaultPort: number | null): Place | null {
  const [, literal, name, digits] = AUTHORITY.exec(authority) ?? [];
  const host = (literal ?? name)?.toLowerCase().replace(/\.$/, '');
  const port = digits === undefined ? defaultPort : Number(digits);
  const isUsable = host !== undefined && !host.includes('..') && port !== null;
  return isUsable && port >= 1 && port <= 65_535 ? { host, port } : null;
}

export function describePlace({ host, port }: Place): string {
  return `${bracketed(host)}:${port}`;
}

export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

export function isLoopbackName(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);
}
