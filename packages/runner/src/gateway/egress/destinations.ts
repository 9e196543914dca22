import type { Socket } from 'node:net';
import {
  type ConnectRules,
  createGuardedConnector,
  isAllowedHost,
} from '../../network/guarded-connector';
import { agentOn, CONNECT_TIMEOUT_MS, type LazyAgent, lazyAgent } from '../exchange/agents';
import { Refusal } from '../exchange/refusal';
import { isLoopbackName, type Place } from './place';

const OPEN_PORTS = [80, 443];

export interface Destinations {
  isApi(place: Place): boolean;
  /**
   * Checks only the text; `connect` also checks the addresses of names.
   * @throws Refusal
   */
  assertOpen(place: Place): void;
  connect(place: Place): Promise<Socket>;
  agent: LazyAgent;
}

/**
 * Allows the operator's hosts, and public addresses on ports 80 and 443. A company's list restricts
 * both.
 */
export function createDestinations(options: {
  rules: ConnectRules;
  allowList: readonly string[] | null;
  apiUrl: string;
  publicUrl: string;
  signal: AbortSignal;
}): Destinations {
  const { rules, allowList, signal } = options;
  const connector = createGuardedConnector(rules, signal, { timeoutMs: CONNECT_TIMEOUT_MS });
  const agent = lazyAgent(() => agentOn('http:', connector));
  const isAtApiUrl = isPlaceOf(options.apiUrl, []);
  // A proxy in front of the API may listen on both 80 and 443.
  const isAtPublicUrl = isPlaceOf(options.publicUrl, OPEN_PORTS);
  const isApi = (place: Place) => isAtApiUrl(place) || isAtPublicUrl(place);

  return {
    isApi,
    assertOpen: (place) => {
      const { host, port } = place;
      if (isApi(place)) {
        throw new Refusal(403, 'use SERVICE_API_URL with the run’s token to call the API');
      }
      if (allowList && !allowList.some((pattern) => matchesPattern(pattern, host))) {
        throw new Refusal(403, `${host} is not among the hosts that the company allows`);
      }
      if (!OPEN_PORTS.includes(port) && !isAllowedHost(rules, host, port)) {
        const text = `port ${port} is closed; only 80, 443 and ports that the operator adds to AGENT_ALLOWED_HOSTS are open`;
        throw new Refusal(403, text);
      }
    },
    connect: ({ host, port }) =>
      new Promise((resolve, reject) => {
        const target = { hostname: host, protocol: 'http:', port };
        connector(target, (error, socket) => (error ? reject(error) : resolve(socket as Socket)));
      }),
    agent,
  };
}

const matchesPattern = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;

function isPlaceOf(url: string, otherPorts: number[]): (place: Place) => boolean {
  const { protocol, hostname, port } = new URL(url);
  const apiHost = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const own = Number(port) || (protocol === 'https:' ? 443 : 80);
  // On loopback, `otherPorts` belong to other programs.
  const ports = isLoopbackName(apiHost) ? [own] : [own, ...otherPorts];
  return (place) =>
    ports.includes(place.port) &&
    (place.host === apiHost || (isLoopbackName(place.host) && isLoopbackName(apiHost)));
}
