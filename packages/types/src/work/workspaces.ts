import { z } from 'zod';
import { id, isStorableText, name, optionalText, pageQuery, timestamp } from '../primitives';

const secretReference = z.strictObject({
  type: z.literal('secret_ref'),
  secretId: id,
  version: z.union([z.literal('latest'), z.int().min(1).max(1_000_000)]).default('latest'),
});

export const workspace = z.object({
  id,
  companyId: id,
  projectId: id,
  name: z.string(),
  cwd: z.string().nullable(),
  repoUrl: z.string().nullable(),
  repoRef: z.string().nullable(),
  repoCredential: secretReference.nullable(),
  isPrimary: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const USER = '[A-Za-z0-9_][A-Za-z0-9_.-]*';
const HOST = '(?:[A-Za-z0-9][A-Za-z0-9_.-]*|\\[[0-9A-Fa-f:.]+\\])';
const IN_PATH = '[^\\s\\p{Cc}?#\\\\]';
const NAMED = '[^\\s\\p{Cc}?#\\\\/]';

/**
 * `https://host/path`, `ssh://[user@]host/path` or `user@host:path`, without password, token or
 * query. No part may begin with a dash, which git would read as an option.
 */
const REPOSITORY = new RegExp(
  `^(?:https://${HOST}(?::\\d{1,5})?/+${NAMED}${IN_PATH}*` +
    `|ssh://(?:${USER}@)?${HOST}(?::\\d{1,5})?/+${NAMED}${IN_PATH}*` +
    `|${USER}@${HOST}:(?!-)/*${NAMED}${IN_PATH}*)$`,
  'u',
);

const cwd = optionalText(4_095).refine(
  (path) => path.startsWith('/'),
  'must be an absolute path that begins with /',
);

export function isRepositoryUrl(url: string): boolean {
  return url.length <= 2_000 && isStorableText(url) && REPOSITORY.test(url);
}

/**
 * A branch, tag, full name (`refs/…`) or commit. Must not contain an option, range, pattern or
 * refspec.
 */
export function isRepositoryRef(ref: string): boolean {
  if (ref === '' || ref.length > 255 || !isStorableText(ref)) return false;
  return !/^[-./@+]|[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/[./]|\.lock(?:\/|$)|[/.]$/u.test(ref);
}

const repoUrl = z
  .string()
  .max(2_000)
  .refine(
    isRepositoryUrl,
    'must be https://host/path, ssh://user@host/path or user@host:path, without credentials',
  );
const repoRef = z
  .string()
  .min(1)
  .max(255)
  .refine(isRepositoryRef, 'must be a valid git branch, tag or commit');

const writable = {
  name,
  cwd: cwd.nullable(),
  repoUrl: repoUrl.nullable(),
  repoRef: repoRef.nullable(),
  /**
   * A token for https, or a private key for ssh. Only the board may set it, because git sends it to
   * the host of `repoUrl`.
   */
  repoCredential: secretReference.nullable(),
  isPrimary: z.boolean(),
};

const fields = z.strictObject(writable).partial();

interface Place {
  cwd?: string | null | undefined;
  repoUrl?: string | null | undefined;
}

function placed<Body extends Place>(isNowhere: (body: Body) => boolean) {
  return (body: Body, context: z.RefinementCtx<Body>) => {
    if (!isNowhere(body)) return;
    for (const field of ['cwd', 'repoUrl']) {
      const message = 'cwd or repoUrl is required';
      context.addIssue({ code: 'custom', path: [field], message });
    }
  };
}

export const createWorkspaceBody = fields.superRefine(
  placed((body) => (body.cwd ?? body.repoUrl ?? null) === null),
);
export const updateWorkspaceBody = fields.superRefine(
  placed((body) => body.cwd === null && body.repoUrl === null),
);
export const listWorkspacesQuery = z.strictObject(pageQuery());

export type WorkspaceView = z.infer<typeof workspace>;
export type CreateWorkspaceBody = z.infer<typeof createWorkspaceBody>;
export type UpdateWorkspaceBody = z.infer<typeof updateWorkspaceBody>;
