import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { errorFields, type Logger } from '@switchyard/server/logger';

/** Below DATA_DIR: what agents work on, their sign-ins, and files of companies. */
const PRIVATE = ['runs', 'discovery', 'repositories', 'homes', 'files', 'runner'];

/** Closes folders that a release before this one has left open to other accounts of the host; new ones are made closed. */
export async function closeFolders(dataDir: string, logger: Logger): Promise<void> {
  for (const name of PRIVATE) {
    const path = join(dataDir, name);
    await chmod(path, 0o700).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return;
      logger.warn('a folder stays open to other accounts', { path, ...errorFields(error) });
    });
  }
}
