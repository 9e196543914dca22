import { readdir } from 'node:fs/promises';
import { useHarness } from '../../../test/harness';
import { type ScriptedClamd, startClamd } from '../../../test/scripted-clamd';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('uploads with UPLOAD_SCANNER_URL', () => {
  const uploadScanner = { host: '127.0.0.1', port: 0 };
  const harness = useHarness({ config: { uploadScanner } });
  let clamd: ScriptedClamd;
  beforeEach(async () => {
    clamd = await startClamd();
    uploadScanner.port = clamd.address.port;
  });
  afterEach(() => clamd.close());

  const paths = async () => {
    const { id, companyId } = await harness.build.issue();
    const company = `/api/companies/${companyId}`;
    return [`${company}/issues/${id}/attachments`, `${company}/logo`] as const;
  };
  const upload = (path: string) => harness.api.post(path).attach('file', PNG, 'x.png');
  const stored = async () => {
    const root = `${harness.config.dataDir}/files`;
    const files = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    return {
      files: files.filter((entry) => entry.isFile()).length,
      assets: await harness.db.asset.count(),
    };
  };

  it('succeed for a file that the scanner reports as clean', async () => {
    for (const path of await paths()) await upload(path).expect(201);
    expect(clamd.received()).toEqual(PNG);
  });

  it('fail with 422 `malware_found` for an infected file, and store nothing', async () => {
    clamd.answer('stream: Eicar-Test-Signature FOUND\0');
    const [attachments, logo] = await paths();
    const before = await stored();
    for (const path of [attachments, logo]) {
      const { status, body } = await upload(path);
      expect([status, body.code]).toEqual([422, 'malware_found']);
      expect(body.details).toEqual({ name: 'Eicar-Test-Signature', retry: false });
    }
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['is unavailable', () => clamd.close()],
    ['closes the connection', () => clamd.hangUp()],
    ['returns no verdict', () => clamd.answer('INSTREAM size limit exceeded. ERROR\0')],
  ])('fail with 503 while the scanner %s', async (_what, fail) => {
    const [attachments] = await paths();
    const before = await stored();
    await fail();
    const { status, body } = await upload(attachments);
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(await stored()).toEqual(before);
  });
});
