import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { beginLoad, type Client, createMeter, type Load, migrate } from '@switchyard/db';
import type { FileStore } from '../adapters/file-store/file-store';
import { openFileStore } from '../adapters/file-store/file-store-settings';
import { rebasePositions } from '../features/events/rebase-positions';
import { forgetSessions } from '../features/people/sessions/forget-sessions';
import { pauseRestored } from '../state/companies/pause-restored';
import { haltRestored } from '../state/deliveries/endpoint-deliveries';
import { cancelRestored } from '../state/runs/halt-runs';
import type { RestoreSettings } from './backup-settings';
import { checkBackup } from './check-backup';
import { assetPath, type DumpedAsset, dumpedAssets } from './dumped-rows';
import type { Manifest } from './manifest';
import { assertTarget, DISPOSABLE, prepareTarget, type Target } from './prepare-target';

/**
 * Returns true if the store already contains the file unchanged. The restore then keeps the file,
 * because it may belong to a running system with the same store.
 */
async function isWhole(files: FileStore, asset: DumpedAsset): Promise<boolean> {
  const source = await files.open(asset.storageKey);
  if (!source) return false;
  const meter = createMeter();
  await pipeline(source, meter.stream.resume());
  const { bytes, sha256 } = meter.result();
  return bytes === asset.byteSize && sha256 === asset.sha256;
}

async function restoreFiles(
  folder: string,
  manifest: Manifest,
  files: FileStore,
  written: string[],
): Promise<void> {
  const lacking = new Set(manifest.files.lacking);
  for await (const asset of dumpedAssets(folder, manifest.databases.orchestration)) {
    const { storageKey } = asset;
    if (lacking.has(storageKey) || (await isWhole(files, asset))) continue;
    written.push(storageKey);
    await files.remove(storageKey);
    await files.write(storageKey, createReadStream(assetPath(folder, storageKey)));
  }
}

export interface RestoreOptions {
  paused?: boolean;
}

async function adaptRows(client: Client, { paused = false }: RestoreOptions): Promise<void> {
  await rebasePositions(client);
  await forgetSessions(client);
  if (!paused) return;
  await pauseRestored(client);
  await cancelRestored(client, 'company_paused');
  await haltRestored(client);
}

async function loadAndCommit(
  folder: string,
  targets: Target[],
  options: RestoreOptions,
): Promise<void> {
  const adaptOrchestration = (client: Client) => adaptRows(client, options);
  const loads: Load[] = [];
  try {
    for (const { name, url, dump } of targets) {
      const adapt = name === 'orchestration' ? adaptOrchestration : undefined;
      const disposable = DISPOSABLE[name];
      loads.push(await beginLoad({ url, name, root: folder, dump, disposable, adapt }));
    }
    for (const load of loads) await load.commit();
  } finally {
    for (const load of loads) await load.close();
  }
}

/**
 * Checks everything before writing. Undoes the changes if a later step fails, unless the process
 * crashes between the two commits; orchestration commits last. Migrates an older backup after
 * loading its rows.
 * @throws Error for a damaged backup, a wrong master key, or a system that is not empty
 */
export async function restore(
  settings: RestoreSettings,
  folder: string,
  options: RestoreOptions = {},
): Promise<Manifest> {
  const manifest = await checkBackup(folder, settings.masterKeys);
  const targets = (['metrics', 'orchestration'] as const).map((name) => ({
    name,
    url: settings.databases[name],
    migrations: settings.migrations[name],
    dump: manifest.databases[name],
  }));
  for (const target of targets) await assertTarget(target);
  for (const target of targets) await prepareTarget(target);
  const files = openFileStore(settings.files);
  const written: string[] = [];
  try {
    await restoreFiles(folder, manifest, files, written);
    await loadAndCommit(folder, targets, options);
  } catch (error) {
    for (const storageKey of written) await files.remove(storageKey);
    throw error;
  } finally {
    await files.close();
  }
  for (const { url, migrations } of targets) await migrate(url, migrations);
  return manifest;
}
