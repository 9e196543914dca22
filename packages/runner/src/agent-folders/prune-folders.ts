import { opendir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@switchyard/sandbox';
import { homeOf } from '../agents/environment/agent-home';

export interface FolderIds {
  runIds: string[];
  agentIds: string[];
}

export type FindExpired = (ids: FolderIds) => Promise<readonly string[]>;

const BATCH = 500;

/**
 * Keeps the homes of archived companies until these are deleted, and homes of unknown agents,
 * because those agents belong to another installation.
 * @throws Error naming the folders that could not be removed, after removing the others
 */
export async function pruneHomes(dataDir: string, findExpired: FindExpired): Promise<void> {
  const homes = join(dataDir, 'homes');
  const failures: string[] = [];
  const companyIds = await idsIn(homes);
  const deleted = new Set(await expiredAmong(companyIds, findExpired));
  for (const companyId of companyIds) {
    if (deleted.has(companyId)) {
      await remove(join(homes, companyId), failures);
      continue;
    }
    for (const agentId of await expiredAmong(await idsIn(join(homes, companyId)), findExpired)) {
      await remove(homeOf(homes, { companyId, agentId }), failures);
    }
  }
  assertRemoved(failures);
}

export async function pruneRepositories(dataDir: string, findExpired: FindExpired): Promise<void> {
  const repositories = join(dataDir, 'repositories');
  const failures: string[] = [];
  for (const projectId of await expiredAmong(await idsIn(repositories), findExpired)) {
    await remove(join(repositories, projectId), failures);
  }
  assertRemoved(failures);
}

async function expiredAmong(ids: string[], findExpired: FindExpired): Promise<string[]> {
  const expired: string[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    expired.push(...(await findExpired({ runIds: [], agentIds: ids.slice(at, at + BATCH) })));
  }
  return expired;
}

async function remove(folder: string, failures: string[]): Promise<number> {
  try {
    await removeTree(folder);
    return 1;
  } catch (error) {
    failures.push((error as Error).message);
    return 0;
  }
}

function assertRemoved(failures: readonly string[]): void {
  if (failures.length > 0) throw new Error(failures.join('; '));
}

export async function pruneRuns(
  dataDir: string,
  findExpired: FindExpired,
  { olderThanDays, batch = BATCH, isOver = () => false }: PruneOptions,
): Promise<number> {
  const runs = join(dataDir, 'runs');
  const failures: string[] = [];
  let removed = 0;
  removal: for await (const runIds of agedFolders(runs, olderThanDays, batch)) {
    if (runIds.length === 0) continue;
    for (const runId of await findExpired({ runIds, agentIds: [] })) {
      if (isOver()) break removal;
      removed += await remove(join(runs, runId), failures);
    }
  }
  assertRemoved(failures);
  return removed;
}

export interface PruneOptions {
  olderThanDays: number;
  batch?: number;
  isOver?: () => boolean;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const idsIn = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => ID.test(name));

const DAY_MS = 86_400_000;

const createdAt = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

async function* agedFolders(root: string, days: number, batch: number) {
  let names: string[] = [];
  const folder = await opendir(root).catch(() => null);
  for await (const { name } of folder ?? []) {
    if (ID.test(name) && createdAt(name) < Date.now() - days * DAY_MS) names.push(name);
    if (names.length < batch) continue;
    yield names;
    names = [];
  }
  yield names;
}
