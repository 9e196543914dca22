import { mkdir, rmdir } from 'node:fs/promises';
import type { Reader } from '@switchyard/db';
import { type Config, runFolder } from '../../config';

export interface WorkingDirectory {
  path: string;
  /** Removes the run's own folder when nothing was left in it. */
  tidy(): Promise<void>;
}

async function primaryWorkspace(db: Reader, issueId: string | null): Promise<string | null> {
  if (!issueId) return null;
  const workspace = await db.workspace.findFirst({
    where: { isPrimary: true, project: { issues: { some: { id: issueId } } } },
    select: { cwd: true },
  });
  return workspace?.cwd ?? null;
}

/** The project's primary workspace, else the adapter's `cwd`, else a folder of the run. */
export async function workingDirectory(
  config: Config,
  db: Reader,
  run: { id: string; issueId: string | null },
  adapterConfig: Record<string, unknown>,
): Promise<WorkingDirectory> {
  const named =
    (await primaryWorkspace(db, run.issueId)) ?? (adapterConfig.cwd as string | undefined);
  if (named) return { path: named, tidy: async () => undefined };
  const path = runFolder(config, run.id);
  await mkdir(path, { recursive: true });
  return { path, tidy: () => rmdir(path).catch(() => undefined) };
}
