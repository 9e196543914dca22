import type { CreateWorkspaceBody } from '@switchyard/types';

type Credential = CreateWorkspaceBody['repoCredential'];

/** A reference to a secret as the two columns that keep it; no version means the latest. */
function credentialColumns(credential: NonNullable<Credential> | null) {
  const version = credential?.version;
  return {
    repoSecretId: credential?.secretId.toLowerCase() ?? null,
    repoSecretVersion: typeof version === 'number' ? version : null,
  };
}

/** The columns of what a body says about a workspace; what it does not say stays out. */
export function workspaceColumns<Body extends { repoCredential?: Credential }>(body: Body) {
  const { repoCredential, ...rest } = body;
  return { ...rest, ...(repoCredential !== undefined && credentialColumns(repoCredential)) };
}
