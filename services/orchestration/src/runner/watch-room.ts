import { statfs } from 'node:fs/promises';
import { repeat } from '@switchyard/async';
import type { Logger } from '@switchyard/server/logger';

/** Below this a runner takes no work: agents would fail half-way. */
const FLOOR_BYTES = 256 * 1024 ** 2;

const LOOK_EVERY_MS = 5_000;

export interface Disk {
  freeBytes: number;
  sizeBytes: number;
}

interface RoomWatch {
  isEnough(): boolean;
  close(): Promise<void>;
}

/** As `df` shows it; null if unreadable. */
export async function readDisk(folder: string): Promise<Disk | null> {
  const disk = await statfs(folder).catch(() => null);
  if (!disk) return null;
  return { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
}

export async function watchRoom(
  folder: string,
  logger: Logger,
  onRoom: () => void,
  read: (folder: string) => Promise<Disk | null> = readDisk,
): Promise<RoomWatch> {
  let isEnough = true;
  const look = async (): Promise<number> => {
    const { freeBytes = FLOOR_BYTES } = (await read(folder)) ?? {};
    const before = isEnough;
    isEnough = freeBytes >= FLOOR_BYTES;
    if (before && !isEnough) {
      logger.error('the disk is full: no work is taken', { folder, freeBytes });
    }
    if (!before && isEnough) {
      logger.info('the disk has room again', { folder, freeBytes });
      onRoom();
    }
    return LOOK_EVERY_MS;
  };
  const pauseMs = await look();
  const looking = repeat(look, { firstMs: pauseMs });
  return { isEnough: () => isEnough, close: () => looking.close() };
}
