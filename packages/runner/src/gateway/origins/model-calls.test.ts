import { isCharged, isModelCall, isOpenCall, requestedModel } from './model-calls';

describe('isOpenCall()', () => {
  it.each([
    ['POST', '/v1/messages?beta=true'],
    ['POST', '/messages'],
    ['POST', '/v1/messages/count_tokens'],
    ['POST', '/v1/responses'],
    ['POST', '/responses/compact'],
    ['POST', '/v1/chat/completions'],
    ['POST', '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse'],
    ['POST', '/openai/deployments/gpt/chat/completions?api-version=2025-01-01'],
    ['GET', '/v1/models'],
    ['HEAD', '/v1/models/claude-x'],
    ['GET', '/models/openai/gpt-5'],
  ])('allows %s %s', (method, path) => {
    expect(isOpenCall(method, path, [])).toBe(true);
  });

  it.each([
    ['GET', '/v1/files'],
    ['POST', '/v1/files'],
    ['POST', '/v1/messages/batches'],
    ['GET', '/v1/messages'],
    ['GET', '/v1/responses/resp_1'],
    ['POST', '/v1/responses/resp_1/cancel'],
    ['DELETE', '/v1/models/mine'],
    ['TRACE', '/v1/messages'],
    ['PUT', '/v1/messages'],
    ['POST', '/v1/models'],
    ['POST', '/x/v1/messages'],
    ['POST', '/v1/messages/'],
    ['POST', '/v1//messages'],
    ['POST', '/v1/messages%2f'],
    ['POST', '/'],
  ])('rejects %s %s', (method, path) => {
    expect(isOpenCall(method, path, [])).toBe(false);
  });

  it('allows GET and POST for the operator’s paths and for paths below them', () => {
    const more = ['/v1/files'];
    expect(isOpenCall('GET', '/v1/files?limit=1', more)).toBe(true);
    expect(isOpenCall('POST', '/v1/files/f_1/content', more)).toBe(true);
    expect(isOpenCall('DELETE', '/v1/files/f_1', more)).toBe(false);
    expect(isOpenCall('GET', '/v1/files2', more)).toBe(false);
  });
});

it.each([
  ['POST', '/v1/messages?beta=true', true, true],
  ['POST', '/v1/messages/count_tokens', false, false],
  ['POST', '/v1beta/models/gemini-2.5-pro:countTokens', false, false],
  ['GET', '/v1/models', false, false],
  ['POST', '/v1/files', true, false],
])(
  'given %s %s, isCharged() returns %p and isModelCall() returns %p',
  (method, path, charged, model) => {
    expect([isCharged(method, path), isModelCall(path)]).toEqual([charged, model]);
  },
);

it.each([
  ['/v1/messages', '{"model":"claude-x"}', 'claude-x'],
  ['/v1beta/models/gemini-2.5-pro:generateContent?alt=sse', '{"model":"other"}', 'gemini-2.5-pro'],
  ['/openai/deployments/gpt%2D5/chat/completions', '{}', 'gpt-5'],
  ['/v1/models/%zz:generateContent', '{}', null],
  ['/v1/responses', '{"model":7}', null],
  ['/v1/responses', 'null', null],
])('given the path %s and the body %s, requestedModel() returns %p', (path, body, model) => {
  expect(requestedModel(path, Buffer.from(body))).toBe(model);
});
