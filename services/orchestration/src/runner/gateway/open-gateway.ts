import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { type ConnectRules, rulesFor } from '../../adapters/network/guarded-connector';
import { agentEnvironment, gitConfig } from './agent-settings';
import { answerRequest } from './answer-request';
import { type ConnectionLimits, receiveConnections } from './connections';
import { createDestinations } from './egress/destinations';
import { createHostLines } from './egress/host-lines';
import { withOwnLookup } from './egress/look-up-name';
import { openTunnel } from './egress/tunnel';
import { openApi } from './origins/api';
import { openProviders, type Provider } from './origins/providers';
import { openRepositories, type Repository } from './origins/repositories';
import type { ProviderMeter } from './usage/provider-meter';

export interface GatewayOptions {
  run: { id: string; companyId: string; token: string };
  /** Where our own API is, as seen from here. */
  apiUrl: string;
  /** PUBLIC_URL: where people find it. */
  publicUrl: string;
  /** What the operator opened beside public addresses. Loopback is never open by itself, in local mode neither. */
  rules: Omit<ConnectRules, 'allowLoopback'>;
  /** What programs must show to use the proxy; null where the port is theirs alone. */
  proxySecret: string | null;
  /** The hosts that the company allows; null for any. */
  allowList: readonly string[] | null;
  repositories: readonly Repository[];
  providers: Readonly<Record<string, Provider>>;
  /** Counts what calls of providers take, and refuses them when the budget is spent. */
  meter: ProviderMeter;
  /** Gets one line for each host that the run reaches, or is kept from. */
  onHost(line: string): void;
  limits?: Partial<ConnectionLimits>;
}

export interface Gateway {
  /** Takes a connection over, with everything that is still to be read of it. Never throws. */
  accept(socket: Socket): void;
  /** What the agent's processes get to find the way; `own` is what the agent's configuration sets itself. */
  environment(port: number, own?: Readonly<Record<string, string>>): Record<string, string>;
  /** What git needs to ask for the repositories here. Holds the run's token: for variables, not for files. */
  gitConfig(port: number): [key: string, value: string][];
  /** Ends every connection, of both sides. */
  close(): Promise<void>;
}

/**
 * The one way out of a run: an HTTP proxy to public addresses, and a server for our API, the run's repositories and
 * the operator's model providers, whose credentials it adds. What is refused, and why: docs/egress.md.
 */
export function openGateway(options: GatewayOptions): Gateway {
  const { run, apiUrl, repositories, providers, meter, proxySecret } = options;
  const life = new AbortController();
  setMaxListeners(0, life.signal);
  const { signal } = life;
  const lines = createHostLines(options.onHost);
  const rules = withOwnLookup({
    setting: 'AGENT_ALLOWED_HOSTS',
    ...rulesFor({ ...options.rules, allowLoopback: false }, run.companyId),
  });
  const destinations = createDestinations({ ...options, rules, signal });
  const origins = [
    openRepositories({ repositories, token: run.token, rules, lines, signal }),
    openProviders({ providers, lines, meter, signal }),
    openApi({ apiUrl, token: run.token, signal }),
  ];
  const connections = receiveConnections(options.limits, {
    onRequest: (request, response, gone) =>
      answerRequest({ destinations, origins, lines, proxySecret }, { request, response, gone }),
    onTunnel: (request, client, head) =>
      openTunnel({ destinations, lines, proxySecret }, request, client, head),
  });

  return {
    accept: connections.accept,
    environment: (port, own = {}) => agentEnvironment({ port, proxySecret }, origins, own),
    gitConfig: (port) => gitConfig(port, repositories, run.token),
    close: async () => {
      life.abort();
      connections.close();
      destinations.agent.close();
      for (const origin of origins) origin.close();
      meter.close();
    },
  };
}
