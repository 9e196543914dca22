import type { Config } from '../../config';
import type { PlainHttpRules } from '../agents/http/plain-http';
import type { ConnectRules } from './guarded-connector';

export function outgoingRules({
  authMode,
  httpAdapterAllowedHosts: allowedHosts,
}: Pick<Config, 'authMode' | 'httpAdapterAllowedHosts'>): ConnectRules & PlainHttpRules {
  const isLocal = authMode === 'local_trusted';
  return { allowLoopback: isLocal, httpsOnly: !isLocal, allowedHosts };
}
