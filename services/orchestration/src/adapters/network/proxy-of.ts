import { getProxyForUrl } from 'proxy-from-env';

/**
 * The proxy by which this program itself reaches an address, as `HTTPS_PROXY` and `NO_PROXY` say in either spelling; null
 * for none. Plain http goes to the same machine or network, where a proxy of the world has no business.
 */
export function proxyOf(url: string): string | null {
  return url.startsWith('https:') ? getProxyForUrl(url) || null : null;
}
