import { getProxyForUrl } from 'proxy-from-env';

/**
 * Reads `HTTPS_PROXY` and `NO_PROXY` in upper or lower case. Plain http stays in the local network,
 * so it uses no proxy.
 */
export function proxyOf(url: string): string | null {
  return url.startsWith('https:') ? getProxyForUrl(url) || null : null;
}
