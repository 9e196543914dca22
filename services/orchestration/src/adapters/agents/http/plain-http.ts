import { type ConnectRules, isAllowedHost } from '@switchyard/runner/network/guarded-connector';

export interface PlainHttpRules {
  httpsOnly: boolean;
}

/**
 * Returns the reason why a URL must use https, or null. The request contains the run's token and
 * decrypted secrets.
 */
export function refusePlainHttp(text: string, rules: ConnectRules & PlainHttpRules): string | null {
  const { protocol, hostname, host, port } = new URL(text);
  if (!rules.httpsOnly || protocol === 'https:') return null;
  if (isAllowedHost(rules, hostname.replace(/^\[|\]$/g, ''), Number(port || 80))) return null;
  return `${host} must be called over https, unless the operator lists it in HTTP_ADAPTER_ALLOWED_HOSTS`;
}
