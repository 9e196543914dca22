import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import { useHarness } from '../../../test/harness';
import { sweepAssets } from './storage/sweep-assets';

const LIMIT = 64 * 1024;
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  randomBytes(500),
]);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

describe('attachments', () => {
  const harness = useHarness({ config: { maxAttachmentBytes: LIMIT } });

  const issueOf = async () => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId });
    return { run, issue, path: `/api/companies/${issue.companyId}/issues/${issue.id}/attachments` };
  };
  const upload = (path: string, bytes: Buffer, filename = 'picture.png', field = 'file') =>
    harness.api.post(path).attach(field, bytes, { filename });
  const stored = async () => {
    const root = `${harness.config.dataDir}/files`;
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  const nothingKept = (before: string[]) =>
    until('nothing of it to be kept', async () => {
      const unfinished = await harness.db.asset.count({ where: { sha256: '' } });
      return unfinished === 0 && (await stored()).sort().join() === before.sort().join();
    });

  it('can be uploaded, listed, downloaded as a whole or in ranges, and deleted with their bytes', async () => {
    const { run, issue, path } = await issueOf();
    const before = await stored();
    const made = await upload(path, PNG, 'Bild ü "1".png', 'anything').set(
      'Authorization',
      run.authorization,
    );
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      companyId: issue.companyId,
      issueId: issue.id,
      contentType: 'image/png',
      byteSize: PNG.length,
      originalFilename: 'Bild ü "1".png',
      createdByAgentId: run.agent.id,
      createdByRunId: run.id,
    });
    const list = await harness.api.get(`/api/issues/${issue.identifier}/attachments`);
    expect(list.body).toEqual([made.body]);

    const content = made.body.contentPath as string;
    const whole = await harness.api.get(content).buffer();
    expect(whole.status).toBe(200);
    expect(Buffer.compare(whole.body, PNG)).toBe(0);
    expect(whole.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-disposition': expect.stringMatching(/^inline; .*filename\*=UTF-8''Bild%20%C3%BC/),
      'accept-ranges': 'bytes',
      etag: `"${made.body.sha256}"`,
    });
    const part = await harness.api.get(content).set('Range', 'bytes=5-14').buffer();
    expect(part.status).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 5-14/${PNG.length}`);
    expect(Buffer.compare(part.body, PNG.subarray(5, 15))).toBe(0);
    const beyond = await harness.api.get(content).set('Range', `bytes=${PNG.length}-`);
    expect([beyond.status, beyond.body.code]).toEqual([416, 'range_not_satisfiable']);
    expect(beyond.headers['content-range']).toBe(`bytes */${PNG.length}`);
    const stale = await harness.api
      .get(content)
      .set('Range', 'bytes=5-14')
      .set('If-Range', '"another"');
    expect(stale.status).toBe(200);
    const known = await harness.api.get(content).set('If-None-Match', whole.headers.etag as string);
    expect(known.status).toBe(304);
    const head = await harness.api.head(content);
    expect([head.status, head.headers['content-length']]).toEqual([200, String(PNG.length)]);

    const gone = await harness.api.delete(`/api/attachments/${made.body.id}`);
    expect(gone.status).toBe(204);
    expect((await harness.api.get(content)).status).toBe(404);
    expect((await harness.api.delete(`/api/attachments/${made.body.id}`)).status).toBe(404);
    await nothingKept(before);
    expect(await harness.db.asset.count({ where: { id: made.body.assetId } })).toBe(0);
  });

  it('must have a UTF-8 file name, or nothing is stored', async () => {
    const { path } = await issueOf();
    const before = await stored();
    const text = `--b\r\nContent-Disposition: form-data; name="file"; filename="caf\xe9.txt"\r\n\r\nx\r\n--b--\r\n`;
    const refused = await harness.api
      .post(path)
      .set('Content-Type', 'multipart/form-data; boundary=b')
      .send(Buffer.from(text, 'latin1'));
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_error']);
    expect(refused.body.details).toMatchObject([{ path: ['file'] }]);
    await nothingKept(before);
  });

  it.each([
    ['SVG with a script', SVG, 'x.svg', 'image/svg+xml', 'attachment'],
    [
      'HTML with the name of an image',
      Buffer.from('<html><script>1</script>'),
      'x.png',
      'text/plain; charset=utf-8',
      'attachment',
    ],
    [
      'a GIF that is a script',
      Buffer.from('GIF89a/*\0*/=1;alert(1)', 'latin1'),
      'x.js',
      'image/gif',
      'inline',
    ],
    [
      'bytes of an unknown type',
      Buffer.from([0, 1, 2, 255]),
      'x.html',
      'application/octet-stream',
      'attachment',
    ],
  ])('have safe response headers: %s', async (_name, bytes, filename, type, disposition) => {
    const { path } = await issueOf();
    const { body } = await upload(path, bytes, filename);
    const { headers } = await harness.api.get(body.contentPath).buffer();
    expect(headers['content-type']).toBe(type);
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition};`));
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.exe', 'evil.exe'],
    ['a\u202Egnp.exe', 'agnp.exe'],
    ['..', 'file'],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(251)}.txt`],
  ])('lose the harmful parts of their name: %j', async (given, kept) => {
    const { path } = await issueOf();
    const { body } = await upload(path, Buffer.from('x'), given);
    expect(body.originalFilename).toBe(kept);
  });

  it('leave no stored data if they are too large, missing, duplicate or malformed', async () => {
    const { path } = await issueOf();
    const before = await stored();
    expect((await upload(path, randomBytes(LIMIT))).status).toBe(201);
    const kept = await stored();
    expect(kept).toHaveLength(before.length + 1);

    const large = await upload(path, randomBytes(LIMIT + 1));
    expect(large.status).toBe(413);
    expect(large.body).toMatchObject({ code: 'too_large', details: { limitBytes: LIMIT } });
    const none = await harness.api.post(path).field('note', 'no file here');
    expect(none.body.details[0].path).toEqual(['file']);
    const two = await harness.api
      .post(path)
      .attach('a', PNG, { filename: 'a' })
      .attach('b', PNG, { filename: 'b' });
    expect([two.status, two.body.details[0].path]).toEqual([400, ['file']]);
    const json = await harness.api.post(path).send({ file: 'x' });
    expect([json.status, json.body.code]).toEqual([415, 'unsupported_media_type']);

    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
    const malformed = [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=b', `${head}cut off`],
      ['multipart/form-data; boundary=other', `${head}x\r\n--b--\r\n`],
      ['multipart/form-data; boundary=b', ''],
      ['multipart/form-data; boundary=b', `--b\r\n${'X: y\r\n'.repeat(20_000)}\r\nx\r\n--b--\r\n`],
      ['multipart/form-data; boundary=b', `${'--b\r\n\r\n\r\n'.repeat(10_000)}--b--\r\n`],
    ];
    for (const [type, body] of malformed) {
      const refused = await harness.api
        .post(path)
        .set('Content-Type', type as string)
        .send(body);
      expect([type, refused.status, refused.body.code]).toEqual([type, 400, 'validation_error']);
    }
    await nothingKept(kept);
  });

  it('use little memory during a large upload, and leave no data if the sender disconnects', async () => {
    const { path } = await issueOf();
    const before = await stored();
    const send = (total: number, abortAt: number) =>
      new Promise<number | 'aborted'>((resolve) => {
        const request = httpRequest(`${harness.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        });
        request.on('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
          request.destroy();
        });
        request.on('error', () => resolve('aborted'));
        request.write('--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n');
        const chunk = Buffer.alloc(65_536, 'x');
        let sent = 0;
        const next = () => {
          if (request.destroyed) return;
          if (sent >= abortAt) return void request.destroy();
          if (sent >= total) return void request.end('\r\n--b--\r\n');
          sent += chunk.length;
          request.write(chunk, next);
        };
        next();
      });
    const rss = process.memoryUsage().rss;
    const answer = await send(300_000_000, Number.POSITIVE_INFINITY);
    expect(answer).toBe(413);
    expect(process.memoryUsage().rss - rss).toBeLessThan(100_000_000);
    expect(await send(1_000_000, 32_768)).toBe('aborted');
    await until('nothing to be left', async () => {
      const left = await harness.db.asset.count({ where: { sha256: '' } });
      return left === 0 && (await stored()).length === before.length;
    });
  });

  it('can be uploaded once per Idempotency-Key, which causes a conflict for a different file', async () => {
    const { issue, path } = await issueOf();
    const send = (bytes: Buffer) => upload(path, bytes).set('Idempotency-Key', issue.id);
    const first = await send(PNG);
    const again = await send(PNG);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await send(SVG)).body.code).toBe('idempotency_conflict');
    expect(await harness.db.attachment.count({ where: { issueId: issue.id } })).toBe(1);
  });

  it('cause 404 for an unknown file and 403 for a file of another company', async () => {
    const own = await issueOf();
    const foreign = await issueOf();
    const { body: theirs } = await upload(foreign.path, PNG);
    const assets = await harness.db.asset.count();
    const as = own.run.authorization;
    const crossed = [
      upload(foreign.path, PNG).set('Authorization', as),
      harness.api.get(`/api/issues/${foreign.issue.id}/attachments`).set('Authorization', as),
      harness.api.get(theirs.contentPath).set('Authorization', as),
      harness.api.get(`/api/assets/${theirs.assetId}/content`).set('Authorization', as),
      harness.api.delete(`/api/attachments/${theirs.id}`).set('Authorization', as),
    ];
    for (const answer of await Promise.all(crossed)) {
      expect([answer.status, answer.body.code]).toEqual([403, 'cross_company']);
    }
    for (const id of [newId(), 'nonsense']) {
      expect((await harness.api.get(`/api/attachments/${id}/content`)).status).toBe(404);
      expect((await harness.api.get(`/api/assets/${id}/content`)).status).toBe(404);
      expect((await harness.api.delete(`/api/attachments/${id}`)).status).toBe(404);
      const missing = `/api/companies/${own.issue.companyId}/issues/${id}/attachments`;
      expect((await upload(missing, PNG)).status).toBe(404);
    }
    const mixed = `/api/companies/${own.issue.companyId}/issues/${foreign.issue.id}/attachments`;
    expect((await upload(mixed, PNG)).status).toBe(404);
    expect(await harness.db.asset.count()).toBe(assets);
    expect(await harness.db.attachment.count({ where: { id: theirs.id } })).toBe(1);
  });

  describe('logos', () => {
    const setLogo = (companyId: string, logoAssetId: string | null) =>
      harness.api.patch(`/api/companies/${companyId}`).send({ logoAssetId });
    const logo = (companyId: string, bytes: Buffer) =>
      upload(`/api/companies/${companyId}/logo`, bytes);

    it('can be uploaded, set on the company, read, replaced and removed', async () => {
      const company = await harness.build.company();
      const made = await logo(company.id, SVG);
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        assetId: expect.any(String),
        contentType: 'image/svg+xml',
        byteSize: SVG.length,
        contentPath: `/api/assets/${made.body.assetId}/content`,
      });
      const named = await setLogo(company.id, made.body.assetId);
      expect(named.body).toMatchObject({
        logoAssetId: made.body.assetId,
        logoUrl: made.body.contentPath,
      });
      const shown = await harness.api.get(named.body.logoUrl).buffer();
      expect(shown.headers['content-type']).toBe('image/svg+xml');
      expect(shown.headers['content-security-policy']).toContain('sandbox');

      const next = await logo(company.id, PNG);
      await setLogo(company.id, next.body.assetId).expect(200);
      expect((await harness.api.get(made.body.contentPath)).status).toBe(404);
      await sweepAssets(harness.context);
      expect(await harness.db.asset.count({ where: { id: made.body.assetId } })).toBe(0);
      await setLogo(company.id, null).expect(200);
      await sweepAssets(harness.context);
      expect(await harness.db.asset.count({ where: { companyId: company.id } })).toBe(0);
    });

    it('must be images of an allowed type, which is detected from the bytes', async () => {
      const company = await harness.build.company();
      const before = await stored();
      const refused = await logo(company.id, Buffer.from('<html>'));
      expect(refused.status).toBe(415);
      expect(refused.body.details.allowed).toContain('image/svg+xml');
      const run = await harness.build.liveRun({ companyId: company.id });
      const byAgent = await logo(company.id, PNG).set('Authorization', run.authorization);
      expect(byAgent.body.code).toBe('board_only');
      await nothingKept(before);
    });

    it('can be set only on the company to which they were uploaded', async () => {
      const company = await harness.build.company();
      const other = await harness.build.company();
      const { body } = await logo(other.id, PNG);
      const crossed = await setLogo(company.id, body.assetId);
      expect(crossed.body).toMatchObject({
        code: 'cross_company',
        details: { field: 'logoAssetId' },
      });
      const unknown = await setLogo(company.id, newId());
      expect(unknown.body).toMatchObject({ code: 'unknown_reference' });
      const { path, issue } = await issueOf();
      const attached = await upload(path, PNG);
      const taken = await setLogo(issue.companyId, attached.body.assetId);
      expect(taken.body).toMatchObject({ code: 'unknown_reference' });
    });
  });

  it('disappear in the next sweep if their upload was not finished', async () => {
    const { path } = await issueOf();
    const { body } = await upload(path, PNG);
    const kept = await stored();
    const { id: companyId } = await harness.build.company();
    const storageKey = randomBytes(16).toString('hex');
    const expiresAt = new Date(Date.now() - 1_000);
    const data = { companyId, storageKey, contentType: '', byteSize: 0, sha256: '', expiresAt };
    await harness.db.asset.create({ data: { id: newId(), ...data } });
    await sweepAssets(harness.context);
    await nothingKept(kept);
    expect((await harness.api.get(body.contentPath)).status).toBe(200);
  });
});
