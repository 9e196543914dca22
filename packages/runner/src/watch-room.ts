import { statfs } from 'node:fs/promises';
import { repeat } from '@switchyard/async';
import type { Logger } from '@switchyard/server/logger';

/** With less free space a runner takes no work, because agents would fail halfway. */
const FLOOR_BYTES = 256 * 1024 ** 2;

const CHECK_EVERY_MS = 5_000;

export interface Disk {
  freeBytes: number;
  sizeBytes: number;
}

interface RoomWatch {
  isEnough(): boolean;
  close(): Promise<void>;
}

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
  const checkRoom = async (): Promise<number> => {
    const { freeBytes = FLOOR_BYTES } = (await read(folder)) ?? {};
    const before = isEnough;
    isEnough = freeBytes >= FLOOR_BYTES;
    if (before && !isEnough) {
      logger.error('the disk is full: the runner accepts no work', { folder, freeBytes });
    }
    if (!before && isEnough) {
      logger.info('the disk has enough free space again', { folder, freeBytes });
      onRoom();
    }
    return CHECK_EVERY_MS;
  };
  const pauseMs = await checkRoom();
  const checking = repeat(checkRoom, { firstMs: pauseMs });
  return { isEnough: () => isEnough, close: () => checking.close() };
}
