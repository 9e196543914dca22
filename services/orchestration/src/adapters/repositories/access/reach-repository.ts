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
  /** Local mode only: without a credential, ssh uses the worker user's keys. */
  usesWorkerKeys: boolean;
  /** Only these host keys are accepted; null trusts the first key per company. */
  knownHostsFile: string | null;
  knownHostsFolder: string;
}

export interface RepositoryWay {
  url: string;
  config: GitConfig;
  access: SshAccess | null;
  sshCommand?: string;
  /** The only place that git may connect to; null if the worker user's ssh decides. */
  destination: Destination | null;
}

/** Returns every part that would reveal the credential. */
export function secretsOf(credential: string): string[] {
  const token = credential.slice(credential.indexOf(':') + 1).trim();
  return [credential, token, authorizationOf(credential), ...linesOfKey(credential)];
}

/** Bound to the origin, so that no other host receives the header. */
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
    // One word, so git starts it without a shell. The user's settings may use jump hosts and other
    // names.
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

/** @throws RepositoryFailure for an invalid or forbidden address, or an unsuitable credential */
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
