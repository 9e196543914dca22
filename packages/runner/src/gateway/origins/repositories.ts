import { readFile } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { type ConnectRules, createGuardedConnector } from '../../network/guarded-connector';
import { isSameToken } from '../../network/same-token';
import { authorizationOf } from '../../repositories/access/repository-authorization';
import type { HostLines } from '../egress/host-lines';
import { withOwnLookup } from '../egress/look-up-name';
import { agentOn, CONNECT_TIMEOUT_MS, lazyAgent } from '../exchange/agents';
import { isClaim, isCredential, shownTokens } from '../exchange/headers';
import { Refusal } from '../exchange/refusal';
import { below } from './below';
import type { Origin } from './origin';

export interface Repository {
  prefix: string;
  url: string;
  credential: string | null;
  caFile: string | null;
  rules?: ConnectRules;
}

const REQUESTS =
  /^\/+(?:info\/refs\?service=git-(?:upload|receive)-pack|git-(?:upload|receive)-pack)$/;

const METHODS = ['GET', 'POST'];

interface Options {
  repositories: readonly Repository[];
  token: string;
  rules: ConnectRules;
  lines: HostLines;
  signal: AbortSignal;
}

export function openRepositories(options: Options): Origin {
  const opened = options.repositories.map((repository) => openRepository(repository, options));
  return {
    find: (request, path) => {
      for (const repository of opened) {
        const target = repository.find(request, path);
        if (target) return target;
      }
      if (below(path, '/repositories') === null) return null;
      throw new Refusal(404, 'repository not found: only the repository of the run is available');
    },
    environment: () => ({}),
    close: () => {
      for (const repository of opened) repository.close();
    },
  };
}

function openRepository(repository: Repository, options: Options): Omit<Origin, 'environment'> {
  const { token, lines } = options;
  const { host, origin, pathname } = new URL(repository.url);
  const prefix = repository.prefix.replace(/\/+$/, '');
  const base = pathname.replace(/\/+$/, '');
  const place = host.includes(':', host.indexOf(']') + 1) ? host : `${host}:443`;
  const agent = lazyAgent(() => openAgent(repository, options));
  return {
    find: (request, path) => {
      const rest = below(path, prefix);
      if (rest === null) return null;
      if (!shownTokens(request).some((shown) => isSameToken(shown, token))) {
        throw new Refusal(
          403,
          'only git, started by this run, may use the repositories of the run',
        );
      }
      if (!REQUESTS.test(rest) || !METHODS.includes(request.method ?? '')) {
        throw new Refusal(404, 'only git’s fetch and push requests are forwarded to a repository');
      }
      const { credential } = repository;
      return {
        name: place,
        agent,
        origin,
        path: `${base}/${rest.replace(/^\/+/, '')}`,
        drops: (name) => isClaim(name) || isCredential(name),
        adds: credential === null ? [] : ['authorization', authorizationOf(credential)],
        onStatus: (status) => {
          lines.reached(place, 'repository');
          refuseStatus(status, place);
        },
      };
    },
    close: agent.close,
  };
}

async function openAgent(repository: Repository, { rules, signal }: Options): Promise<Agent> {
  const { caFile } = repository;
  const connect = createGuardedConnector(withOwnLookup(repository.rules ?? rules), signal, {
    timeoutMs: CONNECT_TIMEOUT_MS,
    ...(caFile !== null && { ca: await readFile(caFile, 'utf8') }),
  });
  return agentOn(new URL(repository.url).protocol, connect);
}

/** A 401 would make git ask for a password, and a redirect could leak the credential. */
function refuseStatus(status: number, place: string): void {
  if (status === 401) throw new Refusal(403, `${place} refused the credential of the repository`);
  if (status >= 300 && status < 400 && status !== 304) {
    throw new Refusal(
      502,
      `${place} answered ${status}: redirects of repositories are not followed`,
    );
  }
}
