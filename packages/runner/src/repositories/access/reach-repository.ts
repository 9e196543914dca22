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
  /**
   * True only in local mode: without a credential, ssh then uses the keys of the worker's user.
   */
  usesWorkerKeys: boolean;
  /**
   * Accepts only the host keys in this file; with null, each company trusts the first key of a
   * host.
   */
  knownHostsFile: string | null;
  knownHostsFolder: string;
}

export interface RepositoryConnection {
  url: string;
  config: GitConfig;
  access: SshAccess | null;
  sshCommand?: string;
  destination: Destination | null;
}

export function secretsOf(credential: string): string[] {
  const token = credential.slice(credential.indexOf(':') + 1).trim();
  return [credential, token, authorizationOf(credential), ...linesOfKey(credential)];
}

function httpsConnection(
  { url }: RepositoryAddress,
  destination: Destination,
  credential: string | null,
): RepositoryConnection {
  const config: [string, string][] = [];
  if (credential !== null) {
    if (looksLikePrivateKey(credential)) {
      const text =
        'repoCredential must be a token for an https address: a private key is only valid for ssh addresses';
      throw failure('repository_credential', text);
    }
    const header = `Authorization: ${authorizationOf(credential)}`;
    config.push([`http.${new URL(url).origin}/.extraHeader`, header]);
  }
  return { url, config, access: null, destination };
}

function sshConnection(
  { url }: RepositoryAddress,
  destination: Destination,
  { companyId, credential }: { companyId: string; credential: string | null },
  options: SshOptions,
): RepositoryConnection {
  if (credential === null) {
    // A command of one word, so that git starts it without a shell. ssh applies the jump hosts and
    // host names of the user's settings.
    if (options.usesWorkerKeys) {
      return { url, config: [], access: null, sshCommand: 'ssh', destination: null };
    }
    const text =
      'an ssh address needs a repoCredential, because the runner’s own keys are not used for companies';
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

export async function reachRepository(
  request: { companyId: string; url: string; credential: string | null },
  rules: ConnectRules,
  ssh: SshOptions,
): Promise<RepositoryConnection> {
  const address = readAddress(request.url);
  const { host, port } = address;
  const destination = { host, port, addresses: await assertReachable(address, rules) };
  return address.protocol === 'https'
    ? httpsConnection(address, destination, request.credential)
    : sshConnection(address, destination, request, ssh);
}
