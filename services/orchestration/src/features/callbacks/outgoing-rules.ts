import type { ConnectRules } from '@switchyard/runner/network/guarded-connector';
import type { PlainHttpRules } from '../../adapters/agents/http/plain-http';
import type { Config } from '../../config';

export function outgoingRules({
  authMode,
  httpAdapterAllowedHosts: allowedHosts,
}: Pick<Config, 'authMode' | 'httpAdapterAllowedHosts'>): ConnectRules & PlainHttpRules {
  const isLocal = authMode === 'local_trusted';
  return { allowLoopback: isLocal, httpsOnly: !isLocal, allowedHosts };
}
