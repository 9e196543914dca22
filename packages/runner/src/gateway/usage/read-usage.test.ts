import { readAnswer } from './read-usage';

const SSE = 'text/event-stream; charset=utf-8';
const JSON_TYPE = 'application/json';

function read(contentType: string, text: string, bytes = 7) {
  const reader = readAnswer(contentType);
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) reader.write(all.subarray(at, at + bytes));
  return reader.read();
}
const stream = (...events: object[]) =>
  events.map((one) => `event: x\ndata: ${JSON.stringify(one)}\n\n`).join('');

const MESSAGE_USAGE = {
  input_tokens: 10,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 30,
  output_tokens: 1,
};
const MESSAGE = { model: 'claude-sonnet-4-5', usage: MESSAGE_USAGE };
const OF_MESSAGE = {
  model: 'claude-sonnet-4-5',
  counts: { input: 10, output: 40, cacheRead: 30, cacheWrite: 20 },
};
const RESPONSE = {
  model: 'gpt-5.5',
  usage: { input_tokens: 50, input_tokens_details: { cached_tokens: 30 }, output_tokens: 4 },
};
const OF_RESPONSE = {
  model: 'gpt-5.5',
  counts: { input: 20, output: 4, cacheRead: 30, cacheWrite: 0 },
};
const CHAT = {
  model: 'gpt-5.5',
  usage: { prompt_tokens: 50, prompt_tokens_details: { cached_tokens: 30 }, completion_tokens: 4 },
};

const GEMINI = {
  modelVersion: 'gemini-2.5-pro',
  usageMetadata: {
    promptTokenCount: 50,
    cachedContentTokenCount: 30,
    candidatesTokenCount: 1,
    thoughtsTokenCount: 3,
  },
};

describe('readAnswer()', () => {
  it.each([
    [
      'Anthropic, whole',
      JSON_TYPE,
      JSON.stringify({ ...MESSAGE, usage: { ...MESSAGE_USAGE, output_tokens: 40 } }),
      OF_MESSAGE,
    ],
    [
      'Anthropic, as a stream',
      SSE,
      stream(
        { type: 'message_start', message: MESSAGE },
        { type: 'content_block_delta', delta: { text: '"usage": {"output_tokens": 999}' } },
        { type: 'message_delta', usage: { output_tokens: 25 } },
        { type: 'message_delta', usage: { output_tokens: 40 } },
      ),
      OF_MESSAGE,
    ],
    [
      'Gemini, as a list',
      JSON_TYPE,
      JSON.stringify([{ usageMetadata: { promptTokenCount: 50 } }, GEMINI]),
      { ...OF_RESPONSE, model: 'gemini-2.5-pro' },
    ],
    ['Gemini, as a stream', SSE, stream(GEMINI), { ...OF_RESPONSE, model: 'gemini-2.5-pro' }],
    ['Responses, whole', JSON_TYPE, JSON.stringify(RESPONSE), OF_RESPONSE],
    [
      'Responses, as a stream',
      SSE,
      stream(
        { type: 'response.created', response: { model: 'gpt-5.5', usage: null } },
        { type: 'response.completed', response: RESPONSE },
      ),
      OF_RESPONSE,
    ],
    ['Chat Completions, whole', JSON_TYPE, JSON.stringify(CHAT), OF_RESPONSE],
    [
      'Chat Completions, as a stream',
      SSE,
      `${stream({ model: 'gpt-5.5', usage: null }, { ...CHAT, choices: [] })}data: [DONE]\n\n`,
      OF_RESPONSE,
    ],
  ])('reads the usage of %s', (_, contentType, text, expected) => {
    const whole = { ...expected, isComplete: true };
    expect(read(contentType, text)).toMatchObject(whole);
    expect(read(contentType, text.replaceAll('\n', '\r\n'), 1_000)).toMatchObject(whole);
  });

  it('reads the usage and text of an interrupted stream', () => {
    const text = stream({ type: 'message_start', message: MESSAGE });
    const delta = stream({
      type: 'content_block_delta',
      delta: { type: 'text_delta', text: 'Hällo' },
    });
    expect(read(SSE, `${text}${delta}data: {"type":"mess`)).toMatchObject({
      counts: { output: 1 },
      isComplete: false,
      textBytes: 6,
    });
  });

  it.each([
    [JSON_TYPE, '{"usage":'],
    [JSON_TYPE, '{"usage":{"input_tokens":-1,"output_tokens":"many"}}'],
    [JSON_TYPE, '{"usage":[],"model":7}'],
    [SSE, 'data: "usage"\n\ndata: {"usage":{}}\n\n'],
  ])('returns null counts for %s %s', (contentType, text) => {
    expect(read(contentType, text)).toMatchObject({ counts: null, isComplete: false });
  });

  it('counts the bytes of responses with other content types', () => {
    expect(read('application/octet-stream', 'twelve bytes')).toEqual({
      model: null,
      counts: null,
      isComplete: false,
      textBytes: 12,
    });
  });
});
