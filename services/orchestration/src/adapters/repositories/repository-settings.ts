import { isAbsolute } from 'node:path';
import { commaSeparated, wholeNumber } from '@switchyard/server';
import { z } from 'zod';

/** What the operator sets about directories and repositories that agents work in. */
export const repositoryEnvironment = {
  WORKSPACE_ROOTS: commaSeparated
    .default([])
    .refine((roots) => roots.every((root) => isAbsolute(root)), 'must list absolute paths')
    .describe(
      'folders that workspaces may name, separated by commas; in local mode without a list any',
    ),
  REPOSITORY_ALLOWED_HOSTS: commaSeparated
    .default([])
    .describe('private hosts that repositories may be cloned from, separated by commas'),
  REPOSITORY_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("certificates to trust for them in place of the system's"),
  REPOSITORY_DEPTH: wholeNumber(0, 1_000_000)
    .default(100)
    .describe('commits of history that are fetched; 0 is all'),
  REPOSITORY_TIMEOUT_SEC: wholeNumber(1, 86_400)
    .default(600)
    .describe('seconds that preparing a repository may take'),
  REPOSITORY_MAX_BYTES: wholeNumber(1_048_576, Number.MAX_SAFE_INTEGER)
    .default(2_147_483_648)
    .describe('largest clone of a project'),
};

const schema = z.object(repositoryEnvironment);

export interface RepositorySettings {
  /** Where a named directory may lie; `any` in local trusted mode without a list (guarantee G24). */
  workspaceRoots: string[] | 'any';
  allowedHosts: string[];
  caFile: string | null;
  /** Commits of history that are fetched; 0 is all of it. */
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
    depth: env.REPOSITORY_DEPTH,
    timeoutMs: env.REPOSITORY_TIMEOUT_SEC * 1000,
    maxBytes: env.REPOSITORY_MAX_BYTES,
  };
}
