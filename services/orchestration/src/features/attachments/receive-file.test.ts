import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Harness, startHarness } from '../../../test/harness';
import type { FileStore } from '../../adapters/file-store/file-store';

const FULL: FileStore = {
  write: (_key, source) => pipeline(source, createWriteStream('/dev/full')),
  open: async () => null,
  remove: async () => undefined,
  close: async () => undefined,
};

describe('an upload when the disk is full', () => {
  const logged: { message: string; cause: string }[] = [];
  let harness: Harness;

  beforeAll(async () => {
    const nothing = () => undefined;
    const error = (message: string, fields?: object) =>
      void logged.push({ message, cause: JSON.stringify(fields) });
    const logger = { error, warn: nothing, info: nothing, debug: nothing };
    harness = await startHarness({ context: { files: FULL, logger } });
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    logged.length = 0;
  });

  const pathOf = async () => {
    const { companyId, id } = await harness.build.issue();
    return `/api/companies/${companyId}/issues/${id}/attachments`;
  };

  it.each([10, 3_000_000])(
    'returns 503 and logs the error for a file of %d bytes',
    async (size) => {
      const refused = await harness.api
        .post(await pathOf())
        .attach('file', Buffer.alloc(size), { filename: 'a.bin' });
      expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
      expect(refused.headers['retry-after']).toBe('1');
      expect(logged[0]).toEqual({
        message: 'a file could not be stored',
        cause: expect.stringContaining('ENOSPC'),
      });
      expect(await harness.db.asset.count()).toBe(0);
    },
  );

  it('returns 400 for a malformed form and logs no error', async () => {
    const text = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx';
    const refused = await harness.api
      .post(await pathOf())
      .set('Content-Type', 'multipart/form-data; boundary=b')
      .send(text);
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_error']);
    expect(logged).toEqual([]);
  });
});
