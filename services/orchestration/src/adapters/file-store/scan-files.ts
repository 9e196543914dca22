import { ApiError } from '@switchyard/server';
import type { ScanContent } from './clamd';
import type { FileStore } from './file-store';

/**
 * A store that keeps only what a scanner finds clean. The scanner reads what was written, so a slow sender holds no
 * connection to it. A file that is refused has to be removed by the caller, like one that failed halfway.
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
