import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectRules } from '../../../adapters/network/guarded-connector';

interface Found {
  address: string;
  family: number;
}

/** Rules whose names are looked up so that no run can keep others waiting. */
export function withOwnLookup(rules: ConnectRules): ConnectRules {
  return rules.lookup ? rules : { ...rules, lookup: createNameLookup(rules.allowedHosts) };
}

/**
 * Looks up names that an agent chose. The system's resolver holds a thread for as long as a name server is silent, and a
 * run could hold all four, by which the runner reads files for every other run. So name servers are asked directly;
 * the system is asked for names that the operator opened, which may be in a file of hosts, and for what is not found
 * otherwise, a few at a time.
 */
export function createNameLookup(opened: readonly string[], given?: Resolver): LookupFunction {
  let resolver = given;
  // With the first name: it reads the host's settings, and many runs ask for none.
  const servers = () => {
    resolver ??= new Resolver({ timeout: 3_000, tries: 2 });
    return resolver;
  };
  const names = new Set(opened.map((entry) => entry.trim().toLowerCase().replace(/:\d+$/, '')));
  return (hostname, options, callback) => {
    const finding = names.has(hostname) ? askSystem(hostname) : askServers(servers(), hostname);
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

async function askServers(resolver: Resolver, hostname: string): Promise<Found[]> {
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
  return askSystem(hostname);
}

/** Of all runs together, so that threads are left for files. */
const MOST_AT_ONCE = 2;
const waiting: (() => void)[] = [];
let asking = 0;

async function askSystem(hostname: string): Promise<Found[]> {
  if (asking >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else asking++;
  try {
    return await lookup(hostname, { all: true });
  } finally {
    // Whoever waits takes this place over.
    const next = waiting.shift();
    if (next) next();
    else asking--;
  }
}
