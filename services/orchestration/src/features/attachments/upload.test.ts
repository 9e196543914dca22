import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { useHarness } from '../../../test/harness';
import type { FileStore } from '../../adapters/file-store/file-store';
import { sweepAssets } from './storage/sweep-assets';
import { type FilePart, SenderFault, storeUpload } from './upload';

describe('upload storage', () => {
  const harness = useHarness();
  const store = async (files: FileStore, source: FilePart) => {
    const { id } = await harness.build.company();
    const room = { atMostBytes: 100, quotaBytes: 0 };
    return storeUpload(harness.context.db, files, id, { name: 'x', source }, room);
  };
  const one = () => Readable.from([Buffer.from('x')]);
  const rowOf = (id: string) => harness.db.asset.findUnique({ where: { id } });
  const failing = (faults: Partial<FileStore>): FileStore => ({
    ...harness.context.files,
    ...faults,
  });
  const fault = () => Promise.reject(new Error('the disk is away'));

  it('keeps a file that a handler has used, whatever the outcome of the request', async () => {
    const { files } = harness.context;
    const upload = await store(files, one());
    const { sha256 } = upload;
    const row = await harness.db.asset.update({
      where: { id: upload.assetId },
      data: { sha256, expiresAt: null },
    });
    await upload.discard();
    expect(await rowOf(upload.assetId)).toEqual(row);
    const bytes = await files.open(row.storageKey);
    expect(bytes && (await buffer(bytes)).toString()).toBe('x');
  });

  it('deletes an unused file and its bytes', async () => {
    const { files } = harness.context;
    const upload = await store(files, one());
    const { storageKey } = (await rowOf(upload.assetId)) as { storageKey: string };
    await upload.discard();
    expect(await rowOf(upload.assetId)).toBeNull();
    expect(await files.open(storageKey)).toBeNull();
  });

  it('deletes all other expired files if one deletion fails, and retries that deletion in the next sweep', async () => {
    const stuck = await store(failing({ remove: fault }), one());
    const other = await store(harness.context.files, one());
    await stuck.discard();
    const { storageKey } = (await rowOf(stuck.assetId)) as { storageKey: string };
    await harness.db.asset.update({
      where: { id: other.assetId },
      data: { expiresAt: new Date() },
    });
    const files = failing({
      remove: (key) => (key === storageKey ? fault() : harness.context.files.remove(key)),
    });
    await expect(sweepAssets({ db: harness.context.db, files })).rejects.toThrow('disk is away');
    expect(await rowOf(stuck.assetId)).not.toBeNull();
    expect(await rowOf(other.assetId)).toBeNull();
    await sweepAssets(harness.context);
    expect(await rowOf(stuck.assetId)).toBeNull();
  });

  it('leaves no row if the file cannot be stored', async () => {
    const before = await harness.db.asset.count();
    await expect(store(failing({ write: fault }), one())).rejects.toThrow('disk is away');
    expect(await harness.db.asset.count()).toBe(before);
  });

  it('reports the first error, whether the sender or the store caused the error', async () => {
    const gone = new Readable({
      read() {
        this.destroy(new Error('hung up'));
      },
    });
    await expect(store(harness.context.files, gone)).rejects.toBeInstanceOf(SenderFault);
    const waits = new Readable({ read: () => undefined });
    await expect(store(failing({ write: fault }), waits)).rejects.toThrow('disk is away');
  });

  it('never stores a truncated file', async () => {
    const before = await harness.db.asset.count();
    let written = false;
    const files = failing({
      write: async (key, source) => {
        await harness.context.files.write(key, source);
        written = true;
      },
    });
    const cut = Object.assign(one(), { truncated: true });
    await expect(store(files, cut)).rejects.toThrow('larger than the limit');
    expect(written).toBe(false);
    expect(await harness.db.asset.count()).toBe(before);
  });
});
