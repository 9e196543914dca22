export interface GitAccess {
  readOnly: readonly string[];
  readWrite: readonly string[];
  usesNetwork: boolean;
}

export function reading(...paths: string[]): GitAccess {
  return { readOnly: paths, readWrite: [], usesNetwork: false };
}

export function writing(readWrite: string[], readOnly: string[] = []): GitAccess {
  return { readOnly, readWrite, usesNetwork: false };
}

export const alsoReading = (access: GitAccess, ...paths: string[]): GitAccess => ({
  ...access,
  readOnly: [...access.readOnly, ...paths],
});

export const alsoWriting = (access: GitAccess, ...paths: string[]): GitAccess => ({
  ...access,
  readWrite: [...access.readWrite, ...paths],
});

export const overNetwork = (access: GitAccess): GitAccess => ({ ...access, usesNetwork: true });
