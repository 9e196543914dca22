import { tmpdir } from 'node:os';
import { readDisk, watchRoom } from './watch-room';

const MEBIBYTE = 1024 ** 2;

describe('watchRoom()', () => {
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const logger = { error: log, warn: log, info: log, debug: log };
  const watch = (mebibytes: number | null) =>
    watchRoom(
      '/data',
      logger,
      () => undefined,
      async () =>
        mebibytes === null
          ? null
          : { freeBytes: mebibytes * MEBIBYTE, sizeBytes: 1_000 * MEBIBYTE },
    );
  beforeEach(() => {
    logged.length = 0;
  });

  it.each([
    [255, false],
    [256, true],
    [null, true],
  ])('given %p MiB of free space, reports enough room: %p', async (free, isEnough) => {
    const room = await watch(free);
    expect(room.isEnough()).toBe(isEnough);
    expect(logged).toEqual(isEnough ? [] : ['the disk is full: the runner accepts no work']);
    await room.close();
  });
});

describe('readDisk()', () => {
  it('returns the free and total bytes of a folder’s file system, or null if the folder is missing', async () => {
    const { freeBytes = 0, sizeBytes = 0 } = (await readDisk(tmpdir())) ?? {};
    expect(sizeBytes).toBeGreaterThan(freeBytes);
    expect(freeBytes).toBeGreaterThan(0);
    expect(await readDisk('/nowhere/at/all')).toBeNull();
  });
});
