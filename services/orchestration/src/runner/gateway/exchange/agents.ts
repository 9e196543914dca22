import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { type Connector, createConnector } from '@switchyard/deliverer';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { proxyOf } from '../../../adapters/network/proxy-of';

/** A connection that waits for its next request; servers close theirs after five seconds and more. */
const IDLE_MS = 4_000;
export const CONNECT_TIMEOUT_MS = 30_000;

/** Connections to servers of one protocol, kept for a while. */
export function agentOn(protocol: string, connect: Connector): PlainAgent {
  const Agent = protocol === 'https:' ? SecureAgent : PlainAgent;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const createConnection = ({ host, port }: Asked, callback: Parameters<Connector>[1]) =>
    connect({ hostname: host, port, protocol }, callback);
  return Object.assign(agent, { createConnection });
}

interface Asked {
  host: string;
  port: string | number;
}

/** To a server that the operator named, by the proxy of the runner itself where it has one for it. */
export function agentTo(url: string, signal: AbortSignal): PlainAgent {
  const proxy = proxyOf(url);
  if (proxy === null) {
    const connect = createConnector({ signal, timeoutMs: CONNECT_TIMEOUT_MS });
    return agentOn(new URL(url).protocol, connect);
  }
  return new HttpsProxyAgent(proxy, { keepAlive: true, timeout: IDLE_MS });
}

/** Opened with the first use; by the next one where that fails, as with too many open files. */
export interface LazyAgent {
  get(): Promise<PlainAgent>;
  close(): void;
}

export function lazyAgent(open: () => PlainAgent | Promise<PlainAgent>): LazyAgent {
  let opened: Promise<PlainAgent> | null = null;
  return {
    get: () => {
      opened ??= Promise.resolve()
        .then(open)
        .catch((error: unknown) => {
          opened = null;
          throw error;
        });
      return opened;
    },
    close: () => void opened?.then((agent) => agent.destroy()).catch(() => undefined),
  };
}
