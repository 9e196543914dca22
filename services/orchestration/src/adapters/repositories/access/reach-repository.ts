import { join } from 'node:path';
import type { ConnectRules } from '../../network/guarded-connector';
import type { Destination } from '../git/one-host';
import type { GitConfig } from '../git/run-git';
import { failure } from '../repository-failure';
import { linesOfKey, looksLikePrivateKey, readPrivateKey } from './private-key';
import { assertReachable, type RepositoryAddress, readAddress } from './repository-address';
import { authorizationOf } from './repository-authorization';
import type { SshAccess } from './ssh-access';

export interface SshOptions {
  /** Local trusted mode only: without a credential ssh uses what the worker's own user has. */
  usesWorkerKeys: boolean;
  /** The only host keys that are believed; null where each company keeps those that it meets. */
  knownHostsFile: string | null;
  /** Where they keep them. */
  knownHostsFolder: string;
}

/** How git gets to a repository: all that its commands for the network need. */
export interface RepositoryWay {
  /** As git gets it. */
  url: string;
  config: GitConfig;
  access: SshAccess | null;
  /** Of the worker's own user. */
  sshCommand?: string;
  /** All that git may talk to; null where the ssh of the worker's own user decides. */
  destination: Destination | null;
}

/** All that would tell a credential: itself, its token, what is sent of it, and each line of a private key. */
export function secretsOf(credential: string): string[] {
  const token = credential.slice(credential.indexOf(':') + 1).trim();
  return [credential, token, authorizationOf(credential), ...linesOfKey(credential)];
}

/** The header is bound to the origin, so that no other host is ever sent it. */
function wayByHttps(
  { url }: RepositoryAddress,
  destination: Destination,
  credential: string | null,
): RepositoryWay {
  const config: [string, string][] = [];
  if (credential !== null) {
    if (looksLikePrivateKey(credential)) {
      const text =
        'the repoCredential is a private key, which opens ssh addresses and is sent to no host';
      throw failure('repository_credential', text);
    }
    const header = `Authorization: ${authorizationOf(credential)}`;
    config.push([`http.${new URL(url).origin}/.extraHeader`, header]);
  }
  return { url, config, access: null, destination };
}

function wayBySsh(
  { url }: RepositoryAddress,
  destination: Destination,
  { companyId, credential }: { companyId: string; credential: string | null },
  options: SshOptions,
): RepositoryWay {
  if (credential === null) {
    // One word, which git starts without a shell; the user's settings say where it goes, by jumps and other names.
    if (options.usesWorkerKeys) {
      return { url, config: [], access: null, sshCommand: 'ssh', destination: null };
    }
    const text =
      'an ssh address needs a repoCredential: the keys of the runner are not for companies';
    throw failure('repository_credential', text);
  }
  const { knownHostsFile, knownHostsFolder } = options;
  const { host, port, addresses } = destination;
  const access: SshAccess = {
    privateKey: readPrivateKey(credential),
    host,
    port,
    address: addresses[0] ?? null,
    knownHostsFile: knownHostsFile ?? join(knownHostsFolder, companyId),
    trustsFirstKey: knownHostsFile === null,
  };
  return { url, config: [], access, destination };
}

/** @throws RepositoryFailure for an address that is none or may not be reached, and a credential that does not fit it */
export async function reachRepository(
  request: { companyId: string; url: string; credential: string | null },
  rules: ConnectRules,
  ssh: SshOptions,
): Promise<RepositoryWay> {
  const address = readAddress(request.url);
  const { host, port } = address;
  const destination = { host, port, addresses: await assertReachable(address, rules) };
  return address.protocol === 'https'
    ? wayByHttps(address, destination, request.credential)
    : wayBySsh(address, destination, request, ssh);
}
