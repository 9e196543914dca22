import { join } from 'node:path';
import { measure } from '@switchyard/db';
import type { MasterKeys } from '../adapters/secret-box/master-keys';
import { createSecretBox } from '../adapters/secret-box/secret-box';
import { assetPath, dumpedAssets, dumpedKeys } from './dumped-rows';
import { type Manifest, readManifest } from './manifest';

async function assertUndamaged(
  folder: string,
  path: string,
  expected: { bytes: number; sha256: string },
): Promise<void> {
  const found = await measure(path).catch(() => null);
  const name = path.slice(folder.length + 1);
  if (!found) throw new Error(`${name} is missing from the backup`);
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
    throw new Error(`${name} is damaged: its checksum is wrong`);
  }
}

async function assertFiles(folder: string, manifest: Manifest): Promise<void> {
  for (const { tables } of Object.values(manifest.databases)) {
    for (const { file } of tables) await assertUndamaged(folder, join(folder, file.path), file);
  }
  const lacking = new Set(manifest.files.lacking);
  for await (const asset of dumpedAssets(folder, manifest.databases.orchestration)) {
    if (lacking.has(asset.storageKey)) continue;
    const { byteSize: bytes, sha256 } = asset;
    await assertUndamaged(folder, assetPath(folder, asset.storageKey), { bytes, sha256 });
  }
}

/**
 * Checks that the secrets can be decrypted. Without this check, a restored system would only fail
 * when an agent runs.
 */
async function assertKeys(
  folder: string,
  manifest: Manifest,
  keys: MasterKeys | null,
): Promise<void> {
  const ids = manifest.masterKeyIds.join(', ');
  if (!keys && ids) {
    throw new Error(
      `the backup contains secrets: set SECRETS_MASTER_KEY to the key with the id ${ids}`,
    );
  }
  const box = keys && createSecretBox(keys);
  for await (const key of dumpedKeys(folder, manifest.databases.orchestration)) {
    try {
      box?.assertOpens(key);
    } catch (error) {
      const given = box?.knownKeyIds.join(', ');
      throw new Error(
        `SECRETS_MASTER_KEY (its id is ${given}) cannot decrypt the secrets of company ${key.companyId}, ` +
          `which require the key with the id ${key.masterKeyId}`,
        { cause: error },
      );
    }
  }
}

/**
 * Reads the whole backup.
 * @throws Error if a part is missing or damaged, or the secrets cannot be decrypted
 */
export async function checkBackup(folder: string, keys: MasterKeys | null): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await assertFiles(folder, manifest);
  await assertKeys(folder, manifest, keys);
  return manifest;
}
