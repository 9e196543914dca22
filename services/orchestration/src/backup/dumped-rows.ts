import { join } from 'node:path';
import { type DumpedDatabase, readCompressed, readDumpedRows } from '@switchyard/db';
import { assertStorageKey } from '../adapters/file-store/file-store';
import type { DataKey } from '../adapters/secret-box/secret-box';

async function* rowsOf(folder: string, dump: DumpedDatabase, name: string) {
  const table = dump.tables.find((one) => one.name === name);
  if (!table) throw new Error(`the backup lacks the table "${name}"`);
  const rows = readDumpedRows(readCompressed(join(folder, table.file.path)), table.columns);
  for await (const row of rows) yield row as Record<string, string>;
}

/** A file that the dumped rows name. */
export interface DumpedAsset {
  storageKey: string;
  byteSize: number;
  sha256: string;
}

/**
 * The stored files as of the dump; an upload that was under way is none yet.
 * @throws Error for a name that no file of ours has: it becomes a path, and anybody may have written the dump
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

/** The wrapped data keys of all companies. */
export async function* dumpedKeys(folder: string, dump: DumpedDatabase): AsyncGenerator<DataKey> {
  for await (const row of rowsOf(folder, dump, 'secret_key')) {
    const { id, company_id: companyId, master_key_id: masterKeyId, wrapped_key: wrapped } = row;
    // COPY writes bytea as `\x` and hexadecimal digits.
    const wrappedKey = Uint8Array.from(Buffer.from((wrapped as string).slice(2), 'hex'));
    yield { id, companyId, masterKeyId, wrappedKey } as DataKey;
  }
}

/** Where the bytes of `storageKey` stand in a backup; two levels, so that no folder grows large. */
export const assetPath = (folder: string, storageKey: string) =>
  join(folder, 'files', storageKey.slice(0, 2), storageKey);
