import { type Harness, startHarness } from '../../test/harness';

describe('POST /metrics/collect', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  const post = (text: string, type = 'application/json') =>
    service.http.post('/metrics/collect').set('Content-Type', type).send(text);
  const asString = { type: 'string_type', msg: 'Input should be a valid string' };
  const notObject = {
    type: 'model_attributes_type',
    loc: ['body'],
    msg: 'Input should be a valid dictionary or object to extract fields from',
  };

  it.each([
    ['{"source":5}', [{ ...asString, loc: ['body', 'source'], input: 5 }]],
    ['{"source":null}', [{ ...asString, loc: ['body', 'source'], input: null }]],
    [
      '{bad',
      [
        {
          type: 'json_invalid',
          loc: ['body'],
          msg: 'JSON decode error',
          input: {},
          ctx: { error: 'the body is not valid JSON' },
        },
      ],
    ],
    ['[1]', [{ ...notObject, input: [1] }]],
    [
      '{"collection_id":7,"source":[]}',
      [
        { ...asString, loc: ['body', 'source'], input: [] },
        { ...asString, loc: ['body', 'collection_id'], input: 7 },
      ],
    ],
    [
      `{"source":"${'x'.repeat(257)}"}`,
      [
        {
          type: 'string_too_long',
          loc: ['body', 'source'],
          msg: 'String should have at most 256 characters',
          input: 'x'.repeat(257),
          ctx: { max_length: 256 },
        },
      ],
    ],
  ])('rejects the body %s with details', async (body, detail) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ detail });
  });

  it('rejects a body whose bytes or charset are not UTF-8', async () => {
    const latin1 = Buffer.from('{"source":"caf\xe9"}', 'latin1');
    const send = (type: string) =>
      service.http
        .post('/metrics/collect')
        .set('Content-Type', type)
        .serialize((body) => body)
        .send(latin1 as unknown as string);
    const byBytes = await send('application/json');
    expect([byBytes.status, byBytes.body]).toEqual([
      400,
      { detail: 'the body is not valid UTF-8' },
    ]);
    expect((await send('application/json; charset=latin1')).status).toBe(415);
  });

  it('rejects a body whose content type is not JSON', async () => {
    const answer = await post('hello', 'text/plain');
    expect(answer.status).toBe(422);
    const msg = `${notObject.msg}: send JSON with \`Content-Type: application/json\``;
    expect(answer.body).toEqual({ detail: [{ ...notObject, msg, input: 'hello' }] });
  });

  it.each([
    ['{"collection_id":"a b"}', 'string_pattern_mismatch'],
    ['{"collection_id":""}', 'string_pattern_mismatch'],
    ['{"collection_id":"failed"}', 'value_error'],
    ['{"trigger_time":"2025-02-30T00:00:00Z"}', 'datetime_from_date_parsing'],
    ['{"trigger_time":"2025-02-03"}', 'datetime_from_date_parsing'],
    ['{"trigger_time":"2025-02-03 10:00:00"}', 'datetime_from_date_parsing'],
    ['{"source":"a\\u0000b"}', 'value_error'],
    ['{"source":"\\ud800"}', 'value_error'],
    ['"text"', 'model_attributes_type'],
    ['{"a":', 'json_invalid'],
  ])('rejects the body %s as %s', async (body, type) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toHaveLength(1);
    expect(answer.body.detail[0]).toMatchObject({ type });
    expect(answer.body.detail[0].msg).toEqual(expect.any(String));
  });

  it('ignores unknown fields', async () => {
    expect((await post('{"else":1,"__proto__":{"source":5}}')).status).toBe(200);
  });

  it('truncates a large input in the answer and rejects a larger body', async () => {
    const long = await post(JSON.stringify({ source: 'x'.repeat(5_000) }));
    expect(long.status).toBe(422);
    expect(long.text.length).toBeLessThan(2_000);
    expect((await post(JSON.stringify({ source: 'x'.repeat(300_000) }))).status).toBe(413);
  });

  it('returns 404 for unknown paths and 405 for wrong methods', async () => {
    const missing = await service.http.get('/nothing');
    expect([missing.status, missing.body]).toEqual([404, { detail: 'Not Found' }]);
    const wrong = await service.http.get('/metrics/collect');
    expect([wrong.status, wrong.body]).toEqual([405, { detail: 'Method Not Allowed' }]);
    expect(wrong.headers.allow).toBe('POST');
    const put = await service.http.put('/health');
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('stores nothing for rejected bodies', async () => {
    expect(await service.rows('SELECT source FROM collection')).toEqual([
      { source: 'n8n_schedule' },
    ]);
  });
});
