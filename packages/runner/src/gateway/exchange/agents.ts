import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { type Connector, createConnector } from '@switchyard/deliverer';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { proxyOf } from '../../network/proxy-of';

/** In ms; shorter than the idle timeout of servers (five seconds or more). */
const IDLE_MS = 4_000;
export const CONNECT_TIMEOUT_MS = 30_000;

export function agentOn(protocol: string, connect: Connector): PlainAgent {
  const Agent = protocol === 'https:' ? SecureAgent : PlainAgent;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const createConnection = ({ host, port }: ConnectTarget, callback: Parameters<Connector>[1]) =>
    connect({ hostname: host, port, protocol }, callback);
  return Object.assign(agent, { createConnection });
}

interface ConnectTarget {
  host: string;
  port: string | number;
}

export function agentTo(url: string, signal: AbortSignal): PlainAgent {
  const proxy = proxyOf(url);
  if (proxy === null) {
    const connect = createConnector({ signal, timeoutMs: CONNECT_TIMEOUT_MS });
    return agentOn(new URL(url).protocol, connect);
  }
  return new HttpsProxyAgent(proxy, { keepAlive: true, timeout: IDLE_MS });
}

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
