import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectRules } from '../../network/guarded-connector';

interface Found {
  address: string;
  family: number;
}

export function withOwnLookup(rules: ConnectRules): ConnectRules {
  return rules.lookup ? rules : { ...rules, lookup: createNameLookup(rules.allowedHosts) };
}

/**
 * Queries name servers directly, because the system's resolver blocks a thread while a server does
 * not reply, and all runs share four threads. Uses the system's resolver only for hosts that the
 * operator allowed and for names that the servers do not find.
 */
export function createNameLookup(opened: readonly string[], given?: Resolver): LookupFunction {
  let resolver = given;
  const servers = () => {
    resolver ??= new Resolver({ timeout: 3_000, tries: 2 });
    return resolver;
  };
  const names = new Set(opened.map((entry) => entry.trim().toLowerCase().replace(/:\d+$/, '')));
  return (hostname, options, callback) => {
    const finding = names.has(hostname)
      ? resolveBySystem(hostname)
      : resolveByServers(servers(), hostname);
    finding.then(
      (found) => {
        const [first] = found;
        if (options.all || !first) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

async function resolveByServers(resolver: Resolver, hostname: string): Promise<Found[]> {
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }));
  const late = answers.find(
    (answer) => answer.status === 'rejected' && answer.reason.code === 'ETIMEOUT',
  );
  if (late?.status === 'rejected') throw late.reason;
  return resolveBySystem(hostname);
}

/** Limit for all runs together, so that threads remain free for files. */
const MAX_CONCURRENT = 2;
const waiting: (() => void)[] = [];
let running = 0;

async function resolveBySystem(hostname: string): Promise<Found[]> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await lookup(hostname, { all: true });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
