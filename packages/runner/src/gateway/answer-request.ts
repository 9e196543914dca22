import type { IncomingMessage } from 'node:http';
import type { Destinations } from './egress/destinations';
import type { HostLines } from './egress/host-lines';
import { bracketed, describePlace, isLoopbackName, type Place, readPlace } from './egress/place';
import { describeFailure } from './exchange/describe-failure';
import { type Exchange, forwardExchange } from './exchange/forward-exchange';
import { assertOwnProgram } from './exchange/proxy-credential';
import { answerRefusal, Refusal } from './exchange/refusal';
import { type Origin, originOf } from './origins/origin';

export interface GatewayParts {
  destinations: Destinations;
  origins: readonly Origin[];
  lines: HostLines;
  proxySecret: string | null;
}

/** Responds to requests that are for the gateway, and forwards plain http. Never throws. */
export async function answerRequest(parts: GatewayParts, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const target = readTarget(request);
  try {
    if (target === null) throw new Refusal(400, 'the address of the request is invalid');
    refuseUnfit(request);
    if ('place' in target && !isOwn(parts, request, target.place)) {
      await forward(parts, exchange, target);
    } else await forwardExchange(exchange, originOf(parts.origins, request, target.path));
  } catch (error) {
    answerRefusal(response, describeFailure(error, 'the gateway'));
  }
}

type Target = { path: string } | { path: string; place: Place };

const PATH = /^\/[\x21\x22\x24-\x7e]*$/;
const ABSOLUTE = /^http:\/\/([^/?#\\]+)(.*)$/i;

function readTarget({ url = '' }: IncomingMessage): Target | null {
  if (PATH.test(url)) return { path: url };
  const [, authority = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  const place = readPlace(authority, 80);
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return place && PATH.test(path) ? { place, path } : null;
}

/** Ignores offers to upgrade to HTTP/2, because such clients also work with HTTP/1.1. */
function refuseUnfit({ headers, method, httpVersionMinor }: IncomingMessage): void {
  // A TRACE response would reveal the headers that the gateway added.
  if (method === 'TRACE' || method === 'TRACK')
    throw new Refusal(405, `${method} is not forwarded`);
  const { upgrade, host } = headers;
  if (httpVersionMinor > 0 && host === undefined)
    throw new Refusal(400, 'the request must have a Host header');
  if (upgrade === undefined || upgrade.toLowerCase() === 'h2c') return;
  throw new Refusal(400, 'upgrades are not forwarded; use CONNECT for wss://');
}

/**
 * Some clients send requests for the gateway itself, or for the server's API, through the proxy.
 */
function isOwn({ destinations }: GatewayParts, { socket }: IncomingMessage, place: Place): boolean {
  const isGateway = isLoopbackName(place.host) && place.port === socket.localPort;
  return isGateway || destinations.isApi(place);
}

async function forward(
  { destinations, lines, proxySecret }: GatewayParts,
  exchange: Exchange,
  { place, path }: { place: Place; path: string },
): Promise<void> {
  const name = describePlace(place);
  try {
    assertOwnProgram(proxySecret, exchange.request);
    destinations.assertOpen(place);
    await forwardExchange(exchange, {
      name,
      agent: destinations.agent,
      origin: `http://${bracketed(place.host)}:${place.port}`,
      path,
      drops: () => false,
      adds: [],
      onStatus: () => lines.reached(name),
    });
  } catch (error) {
    const refusal = describeFailure(error, name);
    if (refusal.status === 403) lines.refused(name, refusal.message);
    throw refusal;
  }
}
