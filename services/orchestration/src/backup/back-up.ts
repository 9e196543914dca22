import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFile, createMeter, type DumpedDatabase, dumpDatabase } from '@switchyard/db';
import type { FileStore } from '../adapters/file-store/file-store';
import { openFileStore } from '../adapters/file-store/file-store-settings';
import type { BackupSettings } from './backup-settings';
import { claimFolder } from './claim-folder';
import { assetPath, type DumpedAsset, dumpedAssets, dumpedKeys } from './dumped-rows';
import { type Manifest, writeManifest } from './manifest';

async function copyFile(folder: string, files: FileStore, asset: DumpedAsset): Promise<boolean> {
  const source = await files.open(asset.storageKey);
  if (!source) return false;
  const path = assetPath(folder, asset.storageKey);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const meter = createMeter();
  await pipeline(source, meter.stream, createFile(path));
  const { bytes, sha256 } = meter.result();
  if (bytes === asset.byteSize && sha256 === asset.sha256) return true;
  await rm(path);
  return false;
}

async function copyFiles(
  folder: string,
  settings: BackupSettings,
  dump: DumpedDatabase,
): Promise<Manifest['files']> {
  const files = openFileStore(settings.files);
  const copied: Manifest['files'] = { count: 0, bytes: 0, lacking: [] };
  await mkdir(join(folder, 'files'), { mode: 0o700 });
  try {
    for await (const asset of dumpedAssets(folder, dump)) {
      if (await copyFile(folder, files, asset)) {
        copied.count += 1;
        copied.bytes += asset.byteSize;
      } else copied.lacking.push(asset.storageKey);
    }
  } finally {
    await files.close();
  }
  return copied;
}

/**
 * Writes both databases and all stored files into `folder` while the services run. Stores each
 * database as a snapshot, together with the files that it references; the manifest lists missing
 * files. Excludes Redis, run folders and keys. Removes a failed backup.
 * @throws Error if the folder is in use, or a database or the disk fails
 */
export async function backUp(settings: BackupSettings, folder: string): Promise<Manifest> {
  const undo = await claimFolder(folder);
  try {
    const { databases } = settings;
    const metrics = await dumpDatabase(databases.metrics, folder, 'metrics');
    const orchestration = await dumpDatabase(databases.orchestration, folder, 'orchestration');
    const masterKeyIds = new Set<string>();
    for await (const key of dumpedKeys(folder, orchestration)) masterKeyIds.add(key.masterKeyId);
    const content: Manifest = {
      format: 1,
      createdAt: new Date().toISOString(),
      databases: { orchestration, metrics },
      files: await copyFiles(folder, settings, orchestration),
      masterKeyIds: [...masterKeyIds].sort(),
    };
    await writeManifest(folder, content);
    return content;
  } catch (error) {
    await undo();
    throw error;
  }
}
