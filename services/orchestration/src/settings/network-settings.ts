import { isIP } from 'node:net';
import { prometheusHosts } from '@switchyard/runner/network/prometheus-hosts';
import { commaSeparated, port } from '@switchyard/server';
import { compile } from 'proxy-addr';
import { z } from 'zod';

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(entry: string): boolean {
  if (NAMED_NETWORKS.includes(entry)) return true;
  if (isIP(entry.split('/')[0] ?? '') === 0) return false;
  try {
    compile(entry);
    return true;
  } catch {
    return false;
  }
}

const networks = commaSeparated.superRefine((entries, check) => {
  const wrong = entries.findIndex((entry) => !isNetwork(entry));
  if (wrong < 0) return;
  const message = `entry ${wrong + 1} must be an address, a network such as 10.0.0.0/8, or one of ${NAMED_NETWORKS.join(', ')}`;
  check.addIssue({ code: 'custom', message });
});

export const networkEnvironment = {
  AGENT_PORT: port.default(3102).describe('port of the API for agents'),
  TRUSTED_PROXIES: networks.default([]).describe('proxies whose `X-Forwarded-For` is trusted'),
  PROMETHEUS_HOSTS: prometheusHosts,
};

const schema = z.object(networkEnvironment);

export interface NetworkSettings {
  agentPort: number;
  trustedProxies: string[];
  prometheusHosts: string[];
}

export function networkSettings(env: z.output<typeof schema>): NetworkSettings {
  return {
    agentPort: env.AGENT_PORT,
    trustedProxies: env.TRUSTED_PROXIES,
    prometheusHosts: env.PROMETHEUS_HOSTS,
  };
}
