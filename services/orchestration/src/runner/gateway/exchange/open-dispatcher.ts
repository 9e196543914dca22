import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { proxyOf } from '../../../adapters/network/proxy-of';
import { CONNECT_TIMEOUT_MS } from '../egress/destinations';

/** To a server that the operator named, by the proxy of the runner itself where it has one for it. */
export function openDispatcher(url: string): Dispatcher {
  const connect = { timeout: CONNECT_TIMEOUT_MS };
  const proxy = proxyOf(url);
  if (proxy === null) return new Agent({ connect });
  return new ProxyAgent({ uri: proxy, requestTls: connect, proxyTls: connect });
}
