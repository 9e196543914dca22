import { ApiError } from '@switchyard/server';
import type { ScanContent } from './clamd';
import type { FileStore } from './file-store';

/**
 * Scans after the write, so that a slow sender does not occupy a connection to the scanner. The
 * caller must remove a rejected file.
 */
export function scanFiles(store: FileStore, scan: ScanContent): FileStore {
  return {
    ...store,
    async write(key, source) {
      await store.write(key, source);
      const content = await store.open(key);
      if (!content) throw new Error('the file was removed before it was scanned');
      const found = await scan(content);
      if (found !== null) throw malwareFound(found);
    },
  };
}

function malwareFound(name: string): ApiError {
  const message = `the scanner found malware in the file: ${name}`;
  return new ApiError('malware_found', message, { name, retry: false });
}
