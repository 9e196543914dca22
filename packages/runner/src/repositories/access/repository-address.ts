import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { isRepositoryUrl } from '@switchyard/types';
import {
  type ConnectRules,
  isAllowedAddress,
  isAllowedHost,
} from '../../network/guarded-connector';
import { failure } from '../repository-failure';

export interface RepositoryAddress {
  url: string;
  protocol: 'https' | 'ssh';
  host: string;
  port: number;
}

const SCP_FORM = /^[^@/]+@(\[[^\]]+\]|[^:/]+):/;
const bare = (host: string) => host.replace(/^\[|\]$/g, '').toLowerCase();

/**
 * Accepts only https and ssh.
 * @throws RepositoryFailure `repository_address_invalid`
 */
export function readAddress(stored: string): RepositoryAddress {
  const refused = failure(
    'repository_address_invalid',
    'the repository must be an https or ssh address without credentials',
  );
  if (!isRepositoryUrl(stored)) throw refused;
  const scp = stored.includes('://') ? null : SCP_FORM.exec(stored);
  if (scp) return { url: stored, protocol: 'ssh', host: bare(scp[1] as string), port: 22 };
  if (!URL.canParse(stored)) throw refused;
  const { protocol, hostname, port, href } = new URL(stored);
  const host = bare(hostname);
  if (protocol === 'ssh:') return { url: stored, protocol: 'ssh', host, port: Number(port || 22) };
  // Returns the URL as the parser writes it, so that git uses the host that was checked (0x7f.1 is
  // 127.0.0.1).
  return { url: href, protocol: 'https', host, port: Number(port || 443) };
}

interface Found {
  address: string;
}

async function resolve(host: string, lookup: LookupFunction | undefined): Promise<Found[]> {
  const ask = promisify(lookup ?? (systemLookup as LookupFunction)) as unknown as (
    host: string,
    options: object,
  ) => Promise<Found[]>;
  try {
    return await ask(host, { all: true });
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'unknown';
    if (code === 'ENOTFOUND' || code === 'ENODATA') {
      throw failure('repository_host_unknown', `the host ${host} does not exist`);
    }
    const text = `the host ${host} could not be resolved (${code})`;
    throw failure('repository_unreachable', text, true);
  }
}

/**
 * Applies the http adapter's address policy and returns the addresses that git must use. This
 * prevents DNS rebinding. Returns no addresses for literals and for hosts that the operator
 * allowed. For ssh every address must be allowed, because ssh resolves the name again.
 * @throws RepositoryFailure `repository_host_unknown`, `repository_unreachable`,
 * `repository_address_refused`
 */
export async function assertReachable(
  { protocol, host, port }: RepositoryAddress,
  rules: ConnectRules,
): Promise<string[]> {
  const text = `${host} has no allowed address; the operator can allow private hosts in REPOSITORY_ALLOWED_HOSTS`;
  const refused = failure('repository_address_refused', text);
  if (isAllowedHost(rules, host, port)) return [];
  if (isIP(host)) {
    if (!isAllowedAddress(rules, host)) throw refused;
    return [];
  }
  const found = (await resolve(host, rules.lookup)).map(({ address }) => address);
  const allowed = found.filter((address) => isAllowedAddress(rules, address));
  const enough = protocol === 'ssh' ? allowed.length === found.length : allowed.length > 0;
  if (!enough || allowed.length === 0) throw refused;
  return allowed;
}
