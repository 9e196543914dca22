import { gzipSync } from 'node:zlib';
import { type Harness, startHarness, startService } from '../../test/harness';

type Fault = [location: string, type: string];
type Case = [body: string | Buffer, status: number, fault?: Fault];

const of = (field: string, value: unknown) => JSON.stringify({ [field]: value });
const cases = (field: string, status: number, values: unknown[], type?: string): Case[] =>
  values.map((value) => [of(field, value), status, type ? [`body.${field}`, type] : undefined]);

const NOT_AN_OBJECT: Fault = ['body', 'model_attributes_type'];
const NOT_JSON: Fault = ['body', 'json_invalid'];

const BODIES: Case[] = [
  ['', 200],
  ['{}', 200],
  [' \n\t ', 200],
  ['{bad', 422, NOT_JSON],
  ['{"source":', 422, NOT_JSON],
  ['{"source":"a"} {}', 422, NOT_JSON],
  ['[]', 422, NOT_AN_OBJECT],
  ['null', 422, NOT_AN_OBJECT],
  ['7', 422, NOT_AN_OBJECT],
  ['true', 422, NOT_AN_OBJECT],
  ['"text"', 422, NOT_AN_OBJECT],
  ['{"else":1,"nested":{"source":5}}', 200],
  ['{"__proto__":{"source":5},"constructor":null}', 200],
  [`{"else":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 200],
];

const SOURCES: Case[] = [
  ...cases('source', 200, ['n8n', '', 'ümläut 🙂', 'x'.repeat(256)]),
  ...cases('source', 422, [5, null, [], {}, true], 'string_type'),
  ...cases('source', 422, ['x'.repeat(257)], 'string_too_long'),
  ...cases('source', 422, ['a\0b', '\ud800'], 'value_error'),
];

const TIMES: Case[] = [
  ...cases('trigger_time', 200, [
    null,
    '2026-03-01T10:00:00Z',
    '2026-03-01T10:00:00.123Z',
    '2026-03-01T10:00:00.123456Z',
    '2026-03-01T10:00:00+01:00',
    '2026-03-01T10:00:00.123456-05:30',
    '2026-03-01T10:00:00',
    '2026-03-01T10:00Z',
    '2028-02-29T00:00:00Z',
  ]),
  ...cases(
    'trigger_time',
    422,
    [
      '2026-02-30T00:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-03-01T24:00:00Z',
      '2026-03-01T10:60:00Z',
      '2026-03-01T10:00:60Z',
      '2026-03-01',
      '2026-03-01 10:00:00Z',
      '1772359200',
      '',
      'now',
    ],
    'datetime_from_date_parsing',
  ),
  ...cases('trigger_time', 422, [1_772_359_200, false], 'string_type'),
];

const IDS: Case[] = [
  ...cases('collection_id', 200, [null, 'a', '7', 'n8n_1.2:3-4', 'Failed', 'x'.repeat(128)]),
  ...cases(
    'collection_id',
    422,
    ['', '-x', '.x', 'a b', 'a/b', 'é', 'a\n', 'x'.repeat(129)],
    'string_pattern_mismatch',
  ),
  ...cases('collection_id', 422, ['failed'], 'value_error'),
  ...cases('collection_id', 422, [5, []], 'string_type'),
];

type Headers = Record<string, string>;
type Request = [method: 'get' | 'head' | 'post' | 'put' | 'delete', path: string];
type OtherCase = [
  ...Request,
  headers: Headers,
  body: string | Buffer,
  status: number,
  says: unknown,
];

const JSON_TYPE = { 'Content-Type': 'application/json' };
const detailAt = (location: string, type: string) => ({
  detail: [expect.objectContaining({ loc: location.split('.'), type })],
});
const OTHERS: OtherCase[] = [
  ['get', '/health', {}, '', 200, expect.objectContaining({ status: 'ok' })],
  ['head', '/health', {}, '', 200, {}],
  ['post', '/health', JSON_TYPE, '{}', 405, { detail: 'Method Not Allowed' }],
  ['get', '/metrics/collect', {}, '', 405, { detail: 'Method Not Allowed' }],
  ['put', '/metrics/collect', JSON_TYPE, '{}', 405, { detail: 'Method Not Allowed' }],
  ['delete', '/metrics/collect', {}, '', 405, { detail: 'Method Not Allowed' }],
  ['get', '/nothing', {}, '', 404, { detail: 'Not Found' }],
  [
    'post',
    '/metrics/collect',
    { 'Content-Type': 'text/plain' },
    'hello',
    422,
    detailAt(...NOT_AN_OBJECT),
  ],
  [
    'post',
    '/metrics/collect',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    'source=n8n',
    422,
    detailAt(...NOT_AN_OBJECT),
  ],
  [
    'post',
    '/metrics/collect',
    JSON_TYPE,
    of('source', 'x'.repeat(300_000)),
    413,
    { detail: expect.any(String) },
  ],
  [
    'post',
    '/metrics/collect',
    { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    '{"source":"not compressed"}',
    400,
    { detail: expect.any(String) },
  ],
  [
    'post',
    '/metrics/collect',
    { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    gzipSync('{"source":"compressed"}'),
    200,
    expect.objectContaining({ trigger_source: 'compressed' }),
  ],
  [
    'post',
    '/metrics/collect',
    JSON_TYPE,
    Buffer.from('{"source":"caf\xe9"}', 'latin1'),
    400,
    { detail: 'the body is not valid UTF-8' },
  ],
  [
    'post',
    '/metrics/collect',
    { 'Content-Type': 'application/json; charset=latin1' },
    '{}',
    415,
    { detail: expect.any(String) },
  ],
];

const COLLECTED = {
  status: 'success',
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  data_points_collected: expect.any(Number),
  storage_status: 'committed',
  dashboard_updated: true,
};
const FAILED = {
  status: 'error',
  collection_id: 'failed',
  timestamp: COLLECTED.timestamp,
  data_points_collected: 0,
  storage_status: 'failed',
  dashboard_updated: false,
  trigger_source: 'n8n_schedule',
};

describe('the metrics service', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  const short = (body: string | Buffer) => body.toString().slice(0, 60);
  const send = ([method, path]: Request, headers: Headers, body: string | Buffer) =>
    service.http[method](path)
      .set(headers)
      .serialize((sent) => sent)
      .send(body as string);

  it.each(
    [...BODIES, ...SOURCES, ...TIMES, ...IDS].map(([body, status, fault]) => [
      short(body),
      status,
      fault?.join(' ') ?? 'success',
      body,
    ]),
  )(
    'given the body %s, responds to POST /metrics/collect with %i %s',
    async (_, status, outcome, body) => {
      const answer = await send(['post', '/metrics/collect'], JSON_TYPE, body as string);
      expect(answer.headers['x-correlation-id']).toEqual(expect.any(String));
      expect(answer.status).toBe(status);
      if (status === 422) {
        const { loc, type, msg } = answer.body.detail[0];
        expect([answer.body.detail.length, `${loc.join('.')} ${type}`]).toEqual([1, outcome]);
        expect(msg).toEqual(expect.any(String));
        return;
      }
      const given = body === '' || String(body).trim() === '' ? {} : JSON.parse(String(body));
      expect(answer.body).toMatchObject({
        ...COLLECTED,
        trigger_source: given.source ?? 'n8n_schedule',
        collection_id:
          given.collection_id ?? expect.stringMatching(/^metrics_\d{8}_\d{6}(\d{3})?$/),
      });
      expect(Object.hasOwn(answer.body, 'error')).toBe(false);
    },
  );

  it.each(
    OTHERS.map(([method, path, headers, body, status, says]) => [
      `${method.toUpperCase()} ${path} ${Object.values(headers).join(' ')}`,
      short(body),
      status,
      { method, path, headers, body, says },
    ]),
  )('given the request %s with the body %s, responds with %i', async (_, __, status, asked) => {
    const { method, path, headers, body, says } = asked as {
      method: Request[0];
      path: string;
      headers: Headers;
      body: string;
      says: unknown;
    };
    const answer = await send([method, path], headers, body);
    expect([answer.status, answer.body]).toEqual([status, says]);
    if (status === 405)
      expect(answer.headers.allow).toBe(path === '/health' ? 'GET, HEAD' : 'POST');
    expect(answer.headers['x-correlation-id']).toEqual(expect.any(String));
  });

  it.each([
    ['a database that cannot be reached', {}, /^storage: /],
    [
      'an invalid configuration',
      { EXCHANGE_MODE: 'live', EXCHANGE_ID: 'nowhere' },
      /^configuration: /,
    ],
  ])('returns every field of the failure response for %s', async (_, env, error) => {
    const broken = await startService({ url: 'postgresql://127.0.0.1:1/metrics', env });
    const collected = await broken.http.post('/metrics/collect').send({});
    const health = await broken.http.get('/health');
    await broken.close();
    expect([collected.status, collected.body]).toEqual([
      500,
      { ...FAILED, error: expect.stringMatching(error) },
    ]);
    expect([health.status, health.body.status]).toEqual([500, 'error']);
  });

  it('receives 83 different requests in this test', () => {
    expect(BODIES.length + SOURCES.length + TIMES.length + IDS.length + OTHERS.length + 4).toBe(83);
  });
});
