import { connect } from 'node:net';
import { type Listening, listen } from '@switchyard/server';
import { hasProgram, SENDING_CLIENTS } from '@switchyard/testing';
import { createApplication } from '../src/http/app';
import { startHarness } from './harness';

type Harness = Awaited<ReturnType<typeof startHarness>>;

const NOBODY = '01890000-0000-7000-8000-000000000000';
const BOUNDARY = 'a-boundary-that-no-file-contains';
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const JSON_TYPE = { 'content-type': 'application/json' };
const FORGED = { authorization: 'Bearer nonsense' };

function form(size: number): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(size),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

const json = (size: number) => Buffer.from(JSON.stringify({ name: 'x'.repeat(size) }));

const SIZES = [20_000, 3_000_000, 9_000_000];

const TIMES = 5;

describe('a request that the API refuses before reading its body', () => {
  let harness: Harness;
  let limited: Harness;
  const listening: Listening[] = [];
  let base = '';
  let limitedUrl = '';
  let companyId = '';
  let issueId = '';
  let agentKey = '';

  async function serve({ context }: Harness): Promise<string> {
    const served = await listen(
      createApplication(context, () => false),
      '127.0.0.1',
      0,
    );
    listening.push(served);
    return `http://127.0.0.1:${served.port}`;
  }

  beforeAll(async () => {
    harness = await startHarness({ config: { maxAttachmentBytes: 10_000 } });
    const rateLimits = { perCredential: 0, perAddress: 0, perTrigger: 0 };
    limited = await startHarness({ config: { rateLimits } });
    base = await serve(harness);
    limitedUrl = await serve(limited);
    companyId = (await harness.build.company()).id;
    issueId = (await harness.build.issue({ companyId })).id;
    const agent = await harness.build.agent({ companyId });
    agentKey = await harness.build.apiKey(agent.id);
  });
  afterAll(async () => {
    for (const each of listening) await each.close(0);
    await harness.close();
    await limited.close();
  });

  const attachments = (issue: string) => `/api/companies/${companyId}/issues/${issue}/attachments`;

  const refused: [string, number, () => [string, string, Record<string, string>], typeof form][] = [
    ['a bad credential', 401, () => ['POST', attachments(issueId), { ...FORM, ...FORGED }], form],
    ['a bad credential', 401, () => ['POST', '/api/companies', { ...JSON_TYPE, ...FORGED }], json],
    [
      'an unknown webhook',
      404,
      () => ['POST', `/api/routine-triggers/public/${NOBODY}/fire`, JSON_TYPE],
      json,
    ],
    ['a runner without a token', 401, () => ['POST', '/api/runner/next', JSON_TYPE], json],
    [
      'an agent on a route for owners',
      403,
      () => ['POST', `/api/companies/${companyId}/logo`, { ...FORM, authorization: agentKey }],
      form,
    ],
    [
      'a page of another site',
      403,
      () => ['POST', '/api/companies', { ...JSON_TYPE, origin: 'https://evil.example' }],
      json,
    ],
    ['an unknown issue', 404, () => ['POST', attachments(NOBODY), FORM], form],
    ['an unknown path', 404, () => ['POST', '/api/nothing', JSON_TYPE], json],
    ['another method', 405, () => ['PUT', attachments(issueId), FORM], form],
    ['another method', 405, () => ['PUT', '/api/companies', JSON_TYPE], json],
    ['another media type', 415, () => ['POST', attachments(issueId), JSON_TYPE], json],
    ['another media type', 415, () => ['POST', '/api/companies', FORM], form],
    ['a rate limit', 429, () => ['POST', '/api/companies', JSON_TYPE], json],
    ['a rate limit', 429, () => ['POST', `/api/companies/${NOBODY}/logo`, FORM], form],
    ['an unknown parameter', 400, () => ['POST', '/api/companies?nothing=1', JSON_TYPE], json],
    ['a query that is not UTF-8', 400, () => ['POST', '/api/companies?x=%FF', JSON_TYPE], json],
    ['a file beyond the limit', 413, () => ['POST', attachments(issueId), FORM], form],
  ];

  it.each(Object.entries(SENDING_CLIENTS))(
    'causes a response that the client receives: %s',
    async (_, { send, program }) => {
      if (program && !(await hasProgram(program))) {
        process.stderr.write(`not tried: ${program} is not installed\n`);
        return;
      }
      for (const [what, status, request, bodyOf] of refused) {
        const [method, path, headers] = request();
        const url = `${status === 429 ? limitedUrl : base}${path}`;
        for (const size of SIZES) {
          const seen = await send({ url, method, headers, body: bodyOf(size), times: TIMES });
          expect([what, size, seen]).toEqual([what, size, Array(TIMES).fill(String(status))]);
        }
      }
      const large = { url: `${base}/api/companies`, method: 'POST', headers: JSON_TYPE, times: 1 };
      expect(await send({ ...large, body: json(14_000_000) })).toEqual(['413']);
    },
  );

  it.each([
    ['a refused upload', () => [attachments(NOBODY), FORM, 404] as const, ''],
    ['a file beyond the limit', () => [attachments(issueId), FORM, 413] as const, form(0)],
    ['JSON beyond the limit', () => ['/api/companies', JSON_TYPE, 413] as const, '"'],
  ])('ends even if its client never stops sending: %s', async (_, request, begin) => {
    const [path, headers, status] = request();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect({
        port: Number(new URL(base).port),
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      const piece = Buffer.alloc(4_000_000, 'x');
      const more = (): void => {
        if (!socket.destroyed) socket.write(piece, () => setImmediate(more));
      };
      const start = begin instanceof Buffer ? begin.subarray(0, -BOUNDARY.length - 8) : begin;
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}Content-Length: ${2 ** 40}\r\n\r\n`,
      );
      socket.write(start, more);
      let text = '';
      socket.on('data', (part) => {
        text += part;
      });
      socket.on('error', () => undefined).on('close', () => resolve(text));
    });
    expect(answer.split(' ')[1]).toBe(String(status));
  });
});
