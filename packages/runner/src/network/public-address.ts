import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IANA's whole global unicast range. ipaddr.js also treats addresses outside it as unicast. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Azure's WireServer (returns credentials), and the 6bone range (returned to IANA, RFC 3701). */
const OUT_OF_BOUNDS = [ipaddr.parseCIDR('168.63.129.16/32'), ipaddr.parseCIDR('3ffe::/16')];

/** ISATAP embeds an IPv4 address after any prefix (RFC 5214, section 6.1). */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [high, low] = address.parts.slice(4, 6);
  return (high! & 0xfdff) === 0 && low === 0x5efe;
}

/**
 * True only for global unicast. False for IPv6 forms that embed an IPv4 address (mapped, 6to4,
 * Teredo, NAT64, ISATAP). `address` has no brackets.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  const isOutside = ([space, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) =>
    parsed.kind() !== space.kind() || !parsed.match(space, bits);
  if (!OUT_OF_BOUNDS.every(isOutside)) return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  return parsed.match(GLOBAL_UNICAST_V6) && !isIsatap(parsed);
}

export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}
