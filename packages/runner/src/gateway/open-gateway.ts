import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { type ConnectRules, rulesFor } from '../network/guarded-connector';
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
import { type Collector, openTraces } from './origins/traces';
import type { ProviderMeter } from './usage/provider-meter';

export interface GatewayOptions {
  run: { id: string; companyId: string; token: string };
  apiUrl: string;
  publicUrl: string;
  /** The operator's exceptions. Without one, loopback is closed, even in local mode. */
  rules: Omit<ConnectRules, 'allowLoopback'>;
  /** Secret that the run's programs must send; null if only they can reach the port. */
  proxySecret: string | null;
  allowList: readonly string[] | null;
  repositories: readonly Repository[];
  providers: Readonly<Record<string, Provider>>;
  collector: Collector | null;
  meter: ProviderMeter;
  onHost(line: string): void;
  limits?: Partial<ConnectionLimits>;
}

export interface Gateway {
  accept(socket: Socket): void;
  environment(port: number, own?: Readonly<Record<string, string>>): Record<string, string>;
  /** Contains the run's token, so it must be passed in variables, not in files. */
  gitConfig(port: number): [key: string, value: string][];
  close(): Promise<void>;
}

/**
 * The only network of a run: a proxy to public addresses, and a server that adds credentials to
 * requests to the server's API, the repositories and model providers. Rules: docs/egress.md.
 */
export function openGateway(options: GatewayOptions): Gateway {
  const { run, apiUrl, repositories, providers, collector, meter, proxySecret } = options;
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
    ...(collector ? [openTraces({ collector, run, lines, signal })] : []),
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
