import { randomBytes } from 'node:crypto';
import { isSameToken } from '../../../adapters/network/same-token';
import type { HostLines } from '../egress/host-lines';
import { agentTo, type LazyAgent, lazyAgent } from '../exchange/agents';
import { isClaim, isCredential, shownTokens } from '../exchange/headers';
import { bodyHolder } from '../exchange/hold-body';
import { Refusal } from '../exchange/refusal';
import { askForUsage } from '../usage/ask-for-usage';
import type { ProviderMeter } from '../usage/provider-meter';
import { below, hasDots } from './below';
import {
  isCharged,
  isModelCall,
  isOpenCall,
  modelAsked,
  reportsUsageOnRequest,
} from './model-calls';
import type { Origin } from './origin';

export interface Provider {
  baseUrl: string;
  /** `x-api-key`, or `authorization` with `Bearer …`. */
  header: string;
  value: string;
  /** Further paths that are open for GET and POST. */
  paths?: string[] | undefined;
  /** False if the provider refuses `stream_options`; its streams are estimated. */
  streamOptions?: boolean | undefined;
}

const PREFIX = '/providers';

const CLOSED =
  'only calls of models and their list are passed on to a provider; the operator opens other paths in GATEWAY_PROVIDERS, "paths"';

/**
 * Model providers with the operator's keys. An agent gets the address and a key that only works
 * here, for its run.
 */
export function openProviders({
  providers,
  lines,
  meter,
  signal,
}: {
  providers: Readonly<Record<string, Provider>>;
  lines: HostLines;
  meter: Pick<ProviderMeter, 'begin'>;
  signal: AbortSignal;
}): Origin {
  const placeholder = `gateway-${randomBytes(24).toString('base64url')}`;
  const hold = bodyHolder();
  const opened = new Map<string, LazyAgent>();
  const agentOf = (name: string, url: string): LazyAgent => {
    const agent = opened.get(name) ?? lazyAgent(() => agentTo(url, signal));
    opened.set(name, agent);
    return agent;
  };
  const names = Object.keys(providers);
  return {
    find: (request, path) => {
      const name = names.find((one) => below(path, `${PREFIX}/${one}`) !== null);
      if (name === undefined) {
        if (below(path, PREFIX) === null) return null;
        throw new Refusal(404, 'there is no such provider');
      }
      if (!shownTokens(request).some((shown) => isSameToken(shown, placeholder))) {
        const text = `${name} needs the key that ${variableOf(name, 'API_KEY')} has in this run`;
        throw new Refusal(401, text);
      }
      if (hasDots(path)) throw new Refusal(400, 'the path may hold no dot segments');
      const provider = providers[name] as Provider;
      const { baseUrl, header, value, paths = [], streamOptions = true } = provider;
      const { origin, host, pathname } = new URL(baseUrl);
      const rest = below(path, `${PREFIX}/${name}`) ?? '';
      const asked = rest.startsWith('/') ? rest : `/${rest}`;
      const method = request.method ?? '';
      if (!isOpenCall(method, asked, paths)) {
        throw new Refusal(403, CLOSED);
      }
      return {
        name: `the provider ${name}`,
        agent: agentOf(name, baseUrl),
        origin,
        path: `${pathname.replace(/\/+$/, '')}${asked}`,
        // Compressed answers could not be read.
        drops: (one) =>
          isClaim(one) ||
          isCredential(one) ||
          one === header.toLowerCase() ||
          one === 'accept-encoding',
        adds: [header.toLowerCase(), value],
        ...(isCharged(method, asked) && {
          meter: (body) =>
            meter.begin(
              name,
              body && isModelCall(asked) ? { model: modelAsked(asked, body), body } : null,
            ),
        }),
        ...(isModelCall(asked) && { hold }),
        ...(streamOptions && reportsUsageOnRequest(asked) && { rewrite: askForUsage }),
        onStatus: () => lines.reached(host, `provider ${name}`),
      };
    },
    environment: (own) =>
      Object.fromEntries(
        names.flatMap((name) => [
          [variableOf(name, 'BASE_URL'), `${own}${PREFIX}/${name}`],
          [variableOf(name, 'API_KEY'), placeholder],
        ]),
      ),
    close: () => {
      for (const agent of opened.values()) agent.close();
    },
  };
}

/** Names of the providers' own clients: ANTHROPIC_BASE_URL, OPENAI_API_KEY. */
function variableOf(name: string, what: 'BASE_URL' | 'API_KEY'): string {
  return `${name.toUpperCase().replace(/-/g, '_')}_${what}`;
}
