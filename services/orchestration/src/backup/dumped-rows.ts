import { join } from 'node:path';
import { type DumpedDatabase, readCompressed, readDumpedRows } from '@switchyard/db';
import { assertStorageKey } from '../adapters/file-store/file-store';
import type { DataKey } from '../adapters/secret-box/secret-box';

async function* rowsOf(folder: string, dump: DumpedDatabase, name: string) {
  const table = dump.tables.find((one) => one.name === name);
  if (!table) throw new Error(`the table "${name}" is missing from the backup`);
  const rows = readDumpedRows(readCompressed(join(folder, table.file.path)), table.columns);
  for await (const row of rows) yield row as Record<string, string>;
}

export interface DumpedAsset {
  storageKey: string;
  byteSize: number;
  sha256: string;
}

/**
 * Skips unfinished uploads.
 * @throws Error for an invalid storage key, because it becomes a path and the dump may be forged
 */
export async function* dumpedAssets(
  folder: string,
  dump: DumpedDatabase,
): AsyncGenerator<DumpedAsset> {
  for await (const row of rowsOf(folder, dump, 'asset')) {
    const { storage_key: storageKey, byte_size: byteSize, sha256 } = row;
    if (!storageKey || !sha256) continue;
    assertStorageKey(storageKey);
    yield { storageKey, byteSize: Number(byteSize), sha256 };
  }
}

export async function* dumpedKeys(folder: string, dump: DumpedDatabase): AsyncGenerator<DataKey> {
  for await (const row of rowsOf(folder, dump, 'secret_key')) {
    const { id, company_id: companyId, master_key_id: masterKeyId, wrapped_key: wrapped } = row;
    const wrappedKey = Uint8Array.from(Buffer.from((wrapped as string).slice(2), 'hex'));
    yield { id, companyId, masterKeyId, wrappedKey } as DataKey;
  }
}

export const assetPath = (folder: string, storageKey: string) =>
  join(folder, 'files', storageKey.slice(0, 2), storageKey);
