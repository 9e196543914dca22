import type { CreateWorkspaceBody } from '@switchyard/types';

type Credential = CreateWorkspaceBody['repoCredential'];

export function workspaceColumns<Body extends { repoCredential?: Credential }>(body: Body) {
  const { repoCredential, ...rest } = body;
  return { ...rest, ...(repoCredential !== undefined && credentialColumns(repoCredential)) };
}

function credentialColumns(credential: NonNullable<Credential> | null) {
  const version = credential?.version;
  return {
    repoSecretId: credential?.secretId.toLowerCase() ?? null,
    repoSecretVersion: typeof version === 'number' ? version : null,
  };
}

export function workspaceName(cwd: string | null, repoUrl: string | null): string {
  const place = cwd ?? repoUrl ?? '';
  const parts = cwd === null ? place.split(/[/:]/) : place.split('/');
  const last = parts.findLast((part) => part.trim() !== '') ?? place;
  const bare = cwd === null && last.endsWith('.git') ? last.slice(0, -4) : last;
  const name = (bare.trim() === '' ? last : bare).slice(0, MAX_NAME);
  return name.isWellFormed() ? name : name.slice(0, -1);
}

const MAX_NAME = 200;
