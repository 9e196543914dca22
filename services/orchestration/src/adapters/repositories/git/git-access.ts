/** What one command of git may open beside the system's own folders, and whether it talks to a host. */
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

/** The same, and more that is read. */
export const alsoReading = (access: GitAccess, ...paths: string[]): GitAccess => ({
  ...access,
  readOnly: [...access.readOnly, ...paths],
});

export const alsoWriting = (access: GitAccess, ...paths: string[]): GitAccess => ({
  ...access,
  readWrite: [...access.readWrite, ...paths],
});

export const overNetwork = (access: GitAccess): GitAccess => ({ ...access, usesNetwork: true });
