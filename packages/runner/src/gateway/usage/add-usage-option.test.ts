import { addUsageOption } from './add-usage-option';

const rewrite = (text: string) => addUsageOption(Buffer.from(text)).toString();

describe('addUsageOption()', () => {
  it('appends the option without changing any other byte', () => {
    const body = '{"stream" : true, "seed": 12345678901234567890, "x": "é}"';
    expect(rewrite(`${body} }\n`)).toBe(`${body} ,"stream_options":{"include_usage":true}}\n`);
  });

  it.each([
    ['null', { include_usage: true }],
    ['{"include_usage":false,"a":1}', { include_usage: true, a: 1 }],
  ])('overrides stream_options %s', (options, expected) => {
    const body = rewrite(`{"stream":true,"n":1,"stream_options":${options}}`);
    expect(JSON.parse(body)).toEqual({ stream: true, n: 1, stream_options: expected });
  });

  it.each([
    '{"stream":true,"stream_options":7}',
    '{"stream":false}',
    '{"stream":"true"}',
    '{"messages":["\\"stream\\""]}',
    '{"stream":true',
    '["stream"]',
    '',
  ])('returns %s unchanged', (body) => {
    expect(rewrite(body)).toBe(body);
  });
});
