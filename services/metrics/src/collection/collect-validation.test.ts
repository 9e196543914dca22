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
  ])('rejects the body %s with a description of each error', async (body, detail) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ detail });
  });

  it('rejects a body whose content type is not JSON', async () => {
    const answer = await post('hello', 'text/plain');
    expect(answer.status).toBe(422);
    const msg = `${notObject.msg}: send JSON with \`Content-Type: application/json\``;
    expect(answer.body).toEqual({ detail: [{ ...notObject, msg, input: 'hello' }] });
  });

  it('truncates a large input in its error response', async () => {
    const long = await post(JSON.stringify({ source: 'x'.repeat(5_000) }));
    expect(long.status).toBe(422);
    expect(long.text.length).toBeLessThan(2_000);
  });

  it('stores nothing for rejected bodies', async () => {
    expect(await service.rows('SELECT source FROM collection')).toEqual([]);
  });

  it('accepts a number with too many digits for a float in an unknown field', async () => {
    const { status } = await post('{"source":"test","more":{"n":12345678901234567890}}');
    expect(status).toBe(200);
  });
});
