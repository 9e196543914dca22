import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { until } from '@switchyard/testing';
import { useHarness } from '../../../../test/harness';
import { forgetAsset, reserveAsset, settleAsset } from './stored-bytes';
import { sweepAssets } from './sweep-assets';

const QUOTA = 10_000;
const LIMIT = 8_000;

describe('the storage quota of a company', () => {
  const harness = useHarness({
    config: { companyStorageBytes: QUOTA, maxAttachmentBytes: LIMIT },
  });
  const { path, upload, used, expectSum, files } = actions();

  it('counts each file until it is deleted, and appears on the dashboard', async () => {
    const { companyId, to } = await path();
    const made = await upload(to, 3_000).expect(201);
    expect(await used(companyId)).toEqual({ usedBytes: 3_000, limitBytes: QUOTA });
    const logo = `/api/companies/${companyId}/logo`;
    const png = Buffer.concat([
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      randomBytes(484),
    ]);
    await harness.api.post(logo).attach('file', png, 'logo.png').expect(201);
    expect((await used(companyId)).usedBytes).toBe(3_500);
    await expectSum(companyId);
    await harness.api.delete(`/api/attachments/${made.body.id}`).expect(204);
    await until('the bytes', async () => (await used(companyId)).usedBytes === 500);
    await expectSum(companyId);
  });

  it('rejects a file beyond the limit with 409 `storage_full`, and stores nothing', async () => {
    const { companyId, to } = await path();
    await upload(to, 6_000).expect(201);
    const before = await files();
    const refused = await upload(to, 5_000);
    expect([refused.status, refused.body.code]).toEqual([409, 'storage_full']);
    expect(refused.body.details).toEqual({ usedBytes: QUOTA, limitBytes: QUOTA, retry: false });
    await until('what was thrown away', async () => (await used(companyId)).usedBytes === 6_000);
    expect(await files()).toEqual(before);
    await upload(to, 3_000).expect(201);
    await upload(to, 1_000).expect(201);
    const full = await upload(to, 1);
    expect([full.status, full.body.details.usedBytes]).toEqual([409, QUOTA]);
    const tooLarge = await upload((await path()).to, LIMIT + 1);
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'too_large']);
    await expectSum(companyId);
    expect((await upload((await path()).to, 7_000)).status).toBe(201);
  });

  it('counts no bytes of a file that is deleted during its upload', async () => {
    const { db } = harness.context;
    const { companyId } = await path();
    const room = { atMostBytes: 4_000, quotaBytes: QUOTA };
    const asset = await reserveAsset(db, companyId, room);
    await harness.db.asset.update({ where: { id: asset.id }, data: { expiresAt: new Date(0) } });
    await forgetAsset(db, asset.id);
    await expect(settleAsset(db, companyId, asset, 1_000)).rejects.toThrow('was removed');
    expect((await used(companyId)).usedBytes).toBe(0);
  });

  it('cannot be exceeded by concurrent uploads', async () => {
    const { companyId, to } = await path();
    let most = 0;
    const watch = setInterval(async () => {
      const [row] = await harness.db.$queryRaw<{ bytes: number }[]>`
        SELECT storage_bytes::int AS bytes FROM company WHERE id = ${companyId}::uuid`;
      most = Math.max(most, row?.bytes ?? 0);
    }, 2);
    const answers = await Promise.all(Array.from({ length: 12 }, () => upload(to, 2_400)));
    clearInterval(watch);
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([201, 409]);
    const kept = answers.filter(({ status }) => status === 201).length;
    expect(kept).toBeLessThanOrEqual(4);
    expect(kept).toBeGreaterThanOrEqual(1);
    expect(most).toBeLessThanOrEqual(QUOTA);
    await until('the rest', async () => (await used(companyId)).usedBytes === kept * 2_400);
    await expectSum(companyId);
  });

  it('releases the reserved bytes of an upload when the sender disconnects', async () => {
    const { companyId, to } = await path();
    const request = httpRequest(`${harness.url}${to}`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    request.on('error', () => undefined);
    request.write('--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nbegun');
    await until('the reservation', async () => (await used(companyId)).usedBytes === LIMIT);
    request.destroy();
    await until('what it gave back', async () => (await used(companyId)).usedBytes === 0);
  });

  it('releases the bytes of a crashed upload in the next sweep', async () => {
    const { companyId, to } = await path();
    const { body } = await upload(to, 2_000).expect(201);
    await harness.db.attachment.deleteMany({ where: { id: body.id } });
    await harness.db.asset.update({
      where: { id: body.assetId },
      data: { sha256: '', expiresAt: new Date(Date.now() - 1_000) },
    });
    await sweepAssets(harness.context);
    expect((await used(companyId)).usedBytes).toBe(0);
  });

  function actions() {
    const issuePath = async () => {
      const { id, companyId } = await harness.build.issue();
      return { companyId, to: `/api/companies/${companyId}/issues/${id}/attachments` };
    };
    return {
      path: issuePath,
      upload: (to: string, bytes: number) =>
        harness.api.post(to).attach('file', randomBytes(bytes), 'x.bin'),
      used: async (companyId: string) =>
        (await harness.api.get(`/api/companies/${companyId}/dashboard`).expect(200)).body.storage,
      expectSum: async (companyId: string) => {
        const [row] = await harness.db.$queryRaw<{ counted: bigint; sum: bigint }[]>`
          SELECT storage_bytes AS counted,
            (SELECT coalesce(sum(byte_size), 0)::bigint FROM asset WHERE company_id = c.id) AS sum
          FROM company c WHERE id = ${companyId}::uuid`;
        expect(row?.counted).toBe(row?.sum);
      },
      files: async () => {
        const root = `${harness.config.dataDir}/files`;
        const entries = await readdir(root, { recursive: true }).catch(() => []);
        return entries.sort();
      },
    };
  }
});
