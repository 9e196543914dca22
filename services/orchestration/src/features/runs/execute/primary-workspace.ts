import type { Database } from '@switchyard/db';

const PLACE = {
  companyId: true,
  projectId: true,
  cwd: true,
  repoUrl: true,
  repoRef: true,
  repoSecretId: true,
  repoSecretVersion: true,
} as const;

export interface WorkspacePlace {
  companyId: string;
  projectId: string;
  cwd: string | null;
  repoUrl: string | null;
  repoRef: string | null;
  repoSecretId: string | null;
  /** Null is the latest. */
  repoSecretVersion: number | null;
}

/** Where work on an issue is done (spec, "Project": the primary workspace); null without a project or one. */
export async function primaryWorkspace(
  db: Database,
  issueId: string | null,
): Promise<WorkspacePlace | null> {
  if (!issueId) return null;
  return db.prisma.workspace.findFirst({
    where: { isPrimary: true, project: { issues: { some: { id: issueId } } } },
    select: PLACE,
  });
}
