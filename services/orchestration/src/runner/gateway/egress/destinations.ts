import type { Socket } from 'node:net';
import {
  type ConnectRules,
  createGuardedConnector,
  isAllowedHost,
} from '../../../adapters/network/guarded-connector';
import { agentOn, CONNECT_TIMEOUT_MS, type LazyAgent, lazyAgent } from '../exchange/agents';
import { Refusal } from '../exchange/refusal';
import { isLoopbackName, type Place } from './place';

const OPEN_PORTS = [80, 443];

export interface Destinations {
  /** Whether a place is our API, by whatever name. */
  isApi(place: Place): boolean;
  /** @throws Refusal for what the text tells; what a name stands for is judged at connecting */
  assertOpen(place: Place): void;
  /** @throws AddressRefusedError, or the error of the connection */
  connect(place: Place): Promise<Socket>;
  /** For requests in plain http. */
  agent: LazyAgent;
}

/** Where in the world a run may go: public addresses on ports 80 and 443, what the operator opened, less what the company left out. */
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
  // What forwards to the API by that name may listen on both ports of the web.
  const isAtPublicUrl = isPlaceOf(options.publicUrl, OPEN_PORTS);
  const isApi = (place: Place) => isAtApiUrl(place) || isAtPublicUrl(place);

  return {
    isApi,
    assertOpen: (place) => {
      const { host, port } = place;
      if (isApi(place)) {
        throw new Refusal(403, 'the API is reached at SERVICE_API_URL, with the token of the run');
      }
      if (allowList && !allowList.some((pattern) => isMeant(pattern, host))) {
        throw new Refusal(403, `${host} is not among the hosts that the company allows`);
      }
      if (!OPEN_PORTS.includes(port) && !isAllowedHost(rules, host, port)) {
        const text = `port ${port} is not open, 80 and 443 are; the operator opens others by AGENT_ALLOWED_HOSTS`;
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

/** By one `hostPattern` of the contract; the host of a place is in small letters. */
const isMeant = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;

function isPlaceOf(url: string, otherPorts: number[]): (place: Place) => boolean {
  const { protocol, hostname, port } = new URL(url);
  const apiHost = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const own = Number(port) || (protocol === 'https:' ? 443 : 80);
  // On loopback they belong to other programs.
  const ports = isLoopbackName(apiHost) ? [own] : [own, ...otherPorts];
  return (place) =>
    ports.includes(place.port) &&
    (place.host === apiHost || (isLoopbackName(place.host) && isLoopbackName(apiHost)));
}
