import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@switchyard/db';
import {
  administer,
  type ClonedDatabase,
  cloneDatabase,
  roleName,
  roleUrl,
} from '@switchyard/testing';
import type { RestoreSettings } from '../src/backup/backup-settings';
import { everything } from './everything';
import { type Harness, SECRETS_MASTER_KEY, useHarness } from './harness';

const PRISMA = join(__dirname, '../../../prisma');
export const migrations = {
  orchestration: join(PRISMA, 'orchestration/migrations'),
  metrics: join(PRISMA, 'metrics/migrations'),
};
export const masterKeys = { current: Buffer.from(SECRETS_MASTER_KEY, 'base64'), old: null };

export interface BackupSystem {
  source: Harness;
  metrics: ClonedDatabase;
  scratch: string;
  newFolder(): string;
  settings(): Pick<RestoreSettings, 'databases' | 'files'>;
  emptyDatabase(): Promise<string>;
  migratedDatabase(kind: 'orchestration' | 'metrics'): Promise<string>;
  emptySystem(overrides?: Partial<RestoreSettings>): Promise<RestoreSettings>;
}

export function useBackupSystem(): BackupSystem {
  const made: (() => Promise<unknown>)[] = [];
  const system = { source: useHarness() } as BackupSystem;
  beforeAll(async () => {
    system.scratch = await mkdtemp(join(tmpdir(), 'backup-test-'));
    system.metrics = await cloneDatabase('metrics');
    made.push(
      () => rm(system.scratch, { recursive: true, force: true }),
      () => system.metrics.drop(),
    );
  });
  afterAll(async () => {
    for (const end of made.reverse()) await end();
  });
  system.newFolder = () => join(system.scratch, randomBytes(6).toString('hex'));
  system.settings = () => ({
    databases: { orchestration: system.source.database.ownerUrl, metrics: system.metrics.ownerUrl },
    files: system.source.config.files,
  });
  system.emptyDatabase = async () => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    await administer(`CREATE DATABASE "${name}" TEMPLATE template0 OWNER "${roleName('owner')}"`);
    made.push(() => administer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
    return roleUrl('owner', name);
  };
  system.migratedDatabase = async (kind) => {
    const clone = await cloneDatabase(kind);
    made.push(() => clone.drop());
    return clone.ownerUrl;
  };
  system.emptySystem = async (overrides = {}) => ({
    databases: {
      orchestration: await system.emptyDatabase(),
      metrics: await system.emptyDatabase(),
    },
    files: { kind: 'local', folder: join(system.newFolder(), 'files') },
    masterKeys,
    migrations,
    ...overrides,
  });
  return system;
}

export async function inDatabase<T>(
  url: string,
  work: (pool: ReturnType<typeof openPool>) => Promise<T>,
): Promise<T> {
  const pool = openPool({ url, size: 2, applicationName: 'test', onIdleError: () => undefined });
  return work(pool).finally(() => pool.end());
}

export const contentOf = (url: string) =>
  inDatabase(url, (pool) => everything({ context: { db: { pool } } } as never));

export const tablesOf = (url: string) =>
  inDatabase(url, async (pool) => {
    const text = "SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'";
    return (await pool.query(text)).rowCount;
  });

export async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ name, parentPath }) => [
    name,
    await readFile(join(parentPath, name), 'latin1'),
  ]);
  return Object.fromEntries((await Promise.all(read)).sort());
}

export const folderOf = ({ files }: Pick<RestoreSettings, 'files'>) =>
  (files as { folder: string }).folder;
