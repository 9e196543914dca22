import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * Returns an IPv4 address, or the /64 network of an IPv6 address, because one customer controls the
 * whole network.
 */
export function addressOf(request: Pick<Request, 'ip'>): string {
  const text = request.ip ?? '';
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
