import { createProviderUses } from './provider-uses';
import { readAnswer } from './read-usage';

const SSE = 'text/event-stream; charset=utf-8';
const JSON_TYPE = 'application/json';

/** In small pieces, as the network cuts them. */
function read(contentType: string, text: string, bytes = 7) {
  const reader = readAnswer(contentType);
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) reader?.write(all.subarray(at, at + bytes));
  return reader?.use();
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

describe('the use that an answer tells', () => {
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
  ])('is read: %s', (_, contentType, text, expected) => {
    expect(read(contentType, text)).toEqual(expected);
    expect(read(contentType, text.replaceAll('\n', '\r\n'), 1_000)).toEqual(expected);
  });

  it('is as much as came of a stream that broke off', () => {
    const text = stream({ type: 'message_start', message: MESSAGE });
    expect(read(SSE, `${text}data: {"type":"mess`)).toMatchObject({ counts: { output: 1 } });
  });

  it.each([
    [JSON_TYPE, '{"usage":'],
    [JSON_TYPE, '{"usage":{"input_tokens":-1,"output_tokens":"many"}}'],
    [JSON_TYPE, '{"usage":[],"model":7}'],
    [SSE, 'data: "usage"\n\ndata: {"usage":{}}\n\n'],
  ])('is nothing where nothing can be read: %s %s', (contentType, text) => {
    expect(read(contentType, text)).toBeNull();
  });

  it('is not looked for elsewhere', () => {
    expect(readAnswer('application/octet-stream')).toBeNull();
  });
});

it('the uses of a run are summed by provider and model, those under way too', () => {
  const uses = createProviderUses();
  const [one, two, other] = ['a', 'a', 'b'].map((name) => uses.follow(name, JSON_TYPE));
  for (const each of [one, two, other]) each?.write(Buffer.from(JSON.stringify(RESPONSE)));
  one?.end();
  one?.end();
  const { model, counts } = OF_RESPONSE;
  const twice = { input: 40, output: 8, cacheRead: 60, cacheWrite: 0 };
  const expected = [
    { provider: 'a', model, counts: twice },
    { provider: 'b', model, counts },
  ];
  expect(uses.all()).toEqual(expected);
  two?.end();
  other?.end();
  expect(uses.all()).toEqual(expected);
});
