import { type Loop, repeat } from '@switchyard/async';
import { errorFields, type Logger } from '@switchyard/server/logger';
import { pruneHomes, pruneRepositories, pruneRuns } from './agent-folders/prune-folders';
import type { RunProtocol } from './protocol/run-protocol';

const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;
const OLDER_THAN_DAYS = 1;

export function pruneFolders(
  dataDir: string,
  { protocol, logger }: { protocol: Pick<RunProtocol, 'folders'>; logger: Logger },
): Loop {
  return repeat(
    async (closing) => {
      const findExpired: Parameters<typeof pruneHomes>[1] = async (ids) =>
        closing.aborted ? [] : (await protocol.folders(ids)).over;
      const warn = (error: unknown) =>
        logger.warn('old folders could not be removed; the next round retries', errorFields(error));
      await pruneHomes(dataDir, findExpired).catch(warn);
      await pruneRepositories(dataDir, findExpired).catch(warn);
      await pruneRuns(dataDir, findExpired, { olderThanDays: OLDER_THAN_DAYS }).catch(warn);
      return EVERY_MS;
    },
    { firstMs: FIRST_MS },
  );
}
