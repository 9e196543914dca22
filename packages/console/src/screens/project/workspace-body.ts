import type { Schemas } from '../../data/api';

type Body = Schemas['CreateWorkspaceBody'];

export const KINDS = ['repository', 'folder'] as const;
export type WorkspaceKind = (typeof KINDS)[number];

export const kindOf = ({ cwd }: Pick<Schemas['Workspace'], 'cwd'>): WorkspaceKind =>
  cwd ? 'folder' : 'repository';

export function workspaceBody(
  typed: Body,
  kind: WorkspaceKind,
  stored: Partial<Schemas['Workspace']> | undefined,
): Body {
  const others = kind === 'folder' ? REPOSITORY : FOLDER;
  const { ...body } = typed;
  for (const name of others) {
    delete body[name];
    if (stored?.[name]) body[name] = null;
  }
  return body;
}

const FOLDER = ['cwd'] as const;
const REPOSITORY = ['repoUrl', 'repoRef', 'repoCredential'] as const;
