import { randomBytes } from 'node:crypto';
import { isSameToken } from '../../network/same-token';
import type { HostLines } from '../egress/host-lines';
import { agentTo, type LazyAgent, lazyAgent } from '../exchange/agents';
import { isClaim, isCredential, shownTokens } from '../exchange/headers';
import { bodyHolder } from '../exchange/hold-body';
import { Refusal } from '../exchange/refusal';
import { addUsageOption } from '../usage/add-usage-option';
import type { ProviderMeter } from '../usage/provider-meter';
import { below, hasDots } from './below';
import {
  hasOutput,
  isCharged,
  isModelCall,
  isOpenCall,
  reportsUsageOnRequest,
  requestedModel,
} from './model-calls';
import type { Origin } from './origin';

export interface Provider {
  baseUrl: string;
  header: string;
  value: string;
  paths?: string[] | undefined;
  /** False if the provider rejects `stream_options`; the usage of its streams is then estimated. */
  streamOptions?: boolean | undefined;
}

const PREFIX = '/providers';

const LIMITS = {
  what: 'a model request',
  /** Anthropic's limit (platform.claude.com/docs/en/api/overview, "Request size limits"). */
  maxBytes: 32 * 1024 * 1024,
  maxHeldBytes: 48 * 1024 * 1024,
};

const CLOSED =
  'only model calls and model lists are forwarded to a provider; the operator can allow other paths in "paths" of GATEWAY_PROVIDERS';

/**
 * Model providers with the operator's keys. An agent receives a URL and a key that are only valid
 * at this gateway and for its run.
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
  const hold = bodyHolder(LIMITS);
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
        throw new Refusal(404, 'provider not found');
      }
      if (!shownTokens(request).some((shown) => isSameToken(shown, placeholder))) {
        const text = `a request to ${name} must contain the key from the run's variable ${variableOf(name, 'API_KEY')}`;
        throw new Refusal(401, text);
      }
      if (hasDots(path)) throw new Refusal(400, 'the path must not contain dot segments');
      const provider = providers[name] as Provider;
      const { baseUrl, header, value, paths = [], streamOptions = true } = provider;
      const { origin, host, hostname, pathname } = new URL(baseUrl);
      const rest = below(path, `${PREFIX}/${name}`) ?? '';
      const callPath = rest.startsWith('/') ? rest : `/${rest}`;
      const method = request.method ?? '';
      if (!isOpenCall(method, callPath, paths)) {
        throw new Refusal(403, CLOSED);
      }
      return {
        name: `the provider ${name}`,
        agent: agentOf(name, baseUrl),
        origin,
        path: `${pathname.replace(/\/+$/, '')}${callPath}`,
        // Removes `accept-encoding`, because the gateway cannot read compressed responses.
        drops: (one) =>
          isClaim(one) ||
          isCredential(one) ||
          one === header.toLowerCase() ||
          one === 'accept-encoding',
        adds: [header.toLowerCase(), value],
        ...(isCharged(method, callPath) && {
          meter: (body) =>
            meter.begin(
              { provider: name, server: hostname },
              body && isModelCall(callPath)
                ? {
                    model: requestedModel(callPath, body),
                    body,
                    hasOutput: hasOutput(callPath),
                  }
                : null,
            ),
        }),
        ...(isModelCall(callPath) && { hold }),
        ...(streamOptions && reportsUsageOnRequest(callPath) && { rewrite: addUsageOption }),
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

function variableOf(name: string, what: 'BASE_URL' | 'API_KEY'): string {
  return `${name.toUpperCase().replace(/-/g, '_')}_${what}`;
}
