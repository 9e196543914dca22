import { takeLock, updateLock } from '@switchyard/bootstrap/lock';
import { UserError } from '@switchyard/bootstrap/user-error';
import type { Lifecycle } from './process/lifecycle.js';
import type { Urls } from './services/definitions.js';
import type { Places } from './settings.js';

/**
 * Allows one launcher per DATA_DIR. A second one would treat the first one's services as leftovers
 * and stop them.
 */
export async function lockDataDir(
  life: Lifecycle,
  { lockFile, dataDir }: Places,
): Promise<(urls: Urls) => void> {
  const { taken, holder, release } = await takeLock(lockFile);
  if (!taken) {
    const { urls } = holder;
    const where = urls
      ? `: board ${urls.board}, metrics ${urls.metrics}`
      : ' and is still starting';
    throw new UserError(
      `Switchyard is already running on ${dataDir} (process ${holder.pid})${where}.`,
      `Use it, or stop it (Ctrl-C in its terminal, or kill ${holder.pid}), or set another DATA_DIR.`,
    );
  }
  life.onEnd(release);
  return (urls) => updateLock(lockFile, { urls: { ...urls } });
}
