import { isAbsolute } from 'node:path';
import { commaSeparated, wholeNumber } from '@switchyard/server/environment';
import { z } from 'zod';
import { allowedHosts } from '../network/allowed-hosts';
import { isRoot, isRootOfOne, type WorkspaceRoots } from './allowed-folder';

export const repositoryEnvironment = {
  WORKSPACE_ROOTS: commaSeparated
    .default([])
    .refine((roots) => roots.every((root) => isAbsolute(root)), 'must list absolute paths')
    .refine(
      (roots) => roots.every(isRoot),
      'must not contain placeholders other than {companyId}, which must be a whole segment of a path: /srv/work/{companyId}',
    )
    .describe('folders that may contain a `cwd`, with `{companyId}`; local mode default: any'),
  REPOSITORY_ALLOWED_HOSTS: allowedHosts.describe(
    'private hosts of repositories: `host[:port]`, or `host[:port]@companyId`',
  ),
  REPOSITORY_SSH_KNOWN_HOSTS: z
    .string()
    .refine(isAbsolute, 'must be an absolute path')
    .optional()
    .describe('file of accepted ssh host keys; default: the first key of each host is stored'),
  REPOSITORY_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("CA certificates for repositories, instead of the system's"),
  REPOSITORY_MAX_BYTES: wholeNumber(1_048_576, Number.MAX_SAFE_INTEGER)
    .default(2_147_483_648)
    .describe('maximum size of a repository mirror in bytes'),
};

const schema = z.object(repositoryEnvironment);

const TIMEOUT_MS = 600_000;

const COMMITS_TO_FETCH = 100;

export const authenticatedRepositoryEnvironment = {
  WORKSPACE_ROOTS: repositoryEnvironment.WORKSPACE_ROOTS.refine(
    (roots) => roots.every(isRootOfOne),
    'must contain {companyId} as a segment of each path in authenticated mode, such as /srv/work/{companyId}: a folder without it would be open to every company',
  ),
};

export interface RepositorySettings {
  workspaceRoots: WorkspaceRoots;
  allowedHosts: string[];
  caFile: string | null;
  sshKnownHostsFile: string | null;
  depth: number;
  timeoutMs: number;
  maxBytes: number;
}

export function repositorySettings(
  env: z.output<typeof schema>,
  isAuthenticated: boolean,
): RepositorySettings {
  const isOpen = !isAuthenticated && env.WORKSPACE_ROOTS.length === 0;
  return {
    workspaceRoots: isOpen ? 'any' : env.WORKSPACE_ROOTS,
    allowedHosts: env.REPOSITORY_ALLOWED_HOSTS,
    caFile: env.REPOSITORY_CA_FILE ?? null,
    sshKnownHostsFile: env.REPOSITORY_SSH_KNOWN_HOSTS ?? null,
    depth: COMMITS_TO_FETCH,
    timeoutMs: TIMEOUT_MS,
    maxBytes: env.REPOSITORY_MAX_BYTES,
  };
}
