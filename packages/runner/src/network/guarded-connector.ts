import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Connector, createConnector, type SocketOptions } from '@switchyard/deliverer';
import { isLoopbackAddress, isPublicAddress } from './public-address';

export interface ConnectRules {
  allowLoopback: boolean;
  /** IPv6 literals with a port are in brackets. Entries with `@companyId` do not match here. */
  allowedHosts: string[];
  setting?: string;
  lookup?: LookupFunction;
}

export function rulesFor<Rules extends ConnectRules>(rules: Rules, companyId: string): Rules {
  return { ...rules, allowedHosts: hostsOf(rules.allowedHosts, companyId) };
}

export class AddressRefusedError extends Error {}

export function isAllowedHost(rules: ConnectRules, host: string, port: number): boolean {
  const names = [host, `${host}:${port}`, `[${host}]`, `[${host}]:${port}`];
  return rules.allowedHosts.some((allowed) => names.includes(allowed.trim().toLowerCase()));
}

export function isAllowedAddress(rules: ConnectRules, address: string): boolean {
  return isPublicAddress(address) || (rules.allowLoopback && isLoopbackAddress(address));
}

const refuse = (host: string, { setting = 'HTTP_ADAPTER_ALLOWED_HOSTS' }: ConnectRules) =>
  new AddressRefusedError(
    `${host} has no allowed address; the operator can allow private hosts in ${setting}`,
  );

const LOOPBACK_NAME = /^(.+\.)?localhost\.?$/;

/** Checks only the text of the URL; `createGuardedConnector` checks names when it connects. */
export function refuseWrittenAddress(text: string, rules: ConnectRules): string | null {
  const { protocol, hostname, port } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isAllowedHost(rules, host, Number(port) || (protocol === 'https:' ? 443 : 80))) return null;
  const address = LOOPBACK_NAME.test(host) ? '127.0.0.1' : host;
  return isIP(address) === 0 || isAllowedAddress(rules, address)
    ? null
    : refuse(host, rules).message;
}

function filterLookup(rules: ConnectRules): LookupFunction {
  const resolve = rules.lookup ?? (systemLookup as LookupFunction);
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, '', 0);
      const all = Array.isArray(found)
        ? found
        : [{ address: found, family: family ?? isIP(found) }];
      const allowed = all.filter(({ address }) => isAllowedAddress(rules, address));
      const [first] = allowed;
      if (!first) {
        callback(refuse(hostname, rules), '', 0);
      } else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Checks the address when it connects, and connects to that address without resolving the name
 * again. This prevents DNS rebinding. Also checks literals, because the resolver is not called for
 * them.
 * @throws AddressRefusedError. Rule: docs/contract.md, "Adapters".
 */
export function createGuardedConnector(
  rules: ConnectRules,
  signal: AbortSignal,
  { timeoutMs = 0, ca }: Partial<Pick<SocketOptions, 'timeoutMs' | 'ca'>> = {},
): Connector {
  const options = { timeoutMs, signal, ...(ca !== undefined && { ca }) };
  const open = createConnector({ ...options, lookup: rules.lookup });
  const guarded = createConnector({ ...options, lookup: filterLookup(rules) });
  return (target, callback) => {
    const host = target.hostname.toLowerCase();
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    if (isAllowedHost(rules, host, port)) return open(target, callback);
    if (isIP(host) && !isAllowedAddress(rules, host)) return callback(refuse(host, rules), null);
    return guarded(target, callback);
  };
}

export function hostsOf(listed: readonly string[], companyId: string): string[] {
  return listed.flatMap((entry) => {
    const [host = '', owner] = entry.toLowerCase().split('@');
    return owner === undefined || owner === companyId.toLowerCase() ? [host] : [];
  });
}
