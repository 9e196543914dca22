import { type ConnectRules, isAllowedHost } from '../../network/guarded-connector';

/** In authenticated mode the way to an agent is as good as its encryption: what is sent opens the API and more. */
export interface PlainHttpRules {
  httpsOnly: boolean;
}

/**
 * Why a URL may not be called without encryption; null for one that may. The request carries the token of the
 * run and its decrypted secrets.
 */
export function refusePlainHttp(text: string, rules: ConnectRules & PlainHttpRules): string | null {
  const { protocol, hostname, host, port } = new URL(text);
  if (!rules.httpsOnly || protocol === 'https:') return null;
  if (isAllowedHost(rules, hostname.replace(/^\[|\]$/g, ''), Number(port || 80))) return null;
  return `${host} may be called by https alone, unless the operator lists it in HTTP_ADAPTER_ALLOWED_HOSTS`;
}
