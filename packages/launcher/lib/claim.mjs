import { problem } from './problem.mjs';
import { ORDER } from './process/life.mjs';
import { takeLock, updateLock } from './process/lock.mjs';

/** One launcher on a DATA_DIR: two would stop each other's services as left-overs. */
export async function claimDataDir(life, { lockFile, dataDir }) {
  const { taken, holder, release } = await takeLock(lockFile);
  if (!taken) {
    const { urls } = holder;
    const where = urls
      ? `: board ${urls.board}, metrics ${urls.metrics}`
      : ' and is still starting';
    throw problem(
      `Switchyard already runs on ${dataDir} (process ${holder.pid})${where}.`,
      `Use it, or stop it (Ctrl-C in its terminal, or kill ${holder.pid}), or set another DATA_DIR.`,
    );
  }
  life.onEnd(ORDER.lock, release);
  return (urls) => updateLock(lockFile, { urls });
}
