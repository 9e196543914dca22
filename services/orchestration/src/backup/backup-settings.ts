import { join, resolve } from 'node:path';
import { databaseUrl, readEnvironment } from '@switchyard/server';
import { z } from 'zod';
import {
  type FileStoreSettings,
  fileStoreEnvironment,
  fileStoreSettings,
} from '../adapters/file-store/file-store-settings';
import type { MasterKeys } from '../adapters/secret-box/master-keys';
import { masterKey } from '../settings/environment';

const backupEnvironment = z
  .object({ DATABASE_URL: databaseUrl, METRICS_DATABASE_URL: databaseUrl })
  .and(fileStoreEnvironment);

const restoreEnvironment = z
  .object({
    SECRETS_MASTER_KEY: masterKey.optional(),
    SECRETS_MASTER_KEY_OLD: masterKey.optional(),
    PRISMA_ROOT: z.string().default(join(__dirname, '../../../../prisma')),
  })
  .and(backupEnvironment);

export interface BackupSettings {
  databases: { orchestration: string; metrics: string };
  files: FileStoreSettings;
}

export interface RestoreSettings extends BackupSettings {
  /** Null if only backups without secrets can be restored. */
  masterKeys: MasterKeys | null;
  migrations: { orchestration: string; metrics: string };
}

type Variables = Record<string, string | undefined>;

function settingsOf(env: z.output<typeof backupEnvironment>): BackupSettings {
  const databases = { orchestration: env.DATABASE_URL, metrics: env.METRICS_DATABASE_URL };
  return { databases, files: fileStoreSettings(env) };
}

export function readBackupSettings(variables: Variables): BackupSettings {
  return settingsOf(readEnvironment(backupEnvironment, variables));
}

export function readRestoreSettings(variables: Variables): RestoreSettings {
  const env = readEnvironment(restoreEnvironment, variables);
  const { SECRETS_MASTER_KEY: current, SECRETS_MASTER_KEY_OLD: old = null } = env;
  const migrations = (product: string) => resolve(env.PRISMA_ROOT, product, 'migrations');
  return {
    ...settingsOf(env),
    masterKeys: current ? { current, old } : null,
    migrations: { orchestration: migrations('orchestration'), metrics: migrations('metrics') },
  };
}
