import { createProviderMeter, type ProviderUse } from './provider-meter';

const JSON_TYPE = 'application/json';
const SSE = 'text/event-stream';
const BEGUN = {
  type: 'message_start',
  message: { model: 'claude-sonnet-4-5', usage: { input_tokens: 10, output_tokens: 1 } },
};
const TEXT = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'x'.repeat(400) } };
const ENDED = { type: 'message_delta', usage: { output_tokens: 120 } };
const REQUEST = JSON.stringify({ model: 'claude-opus-4-5', messages: ['y'.repeat(4_000)] });
const LIMITED = JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 900 });

const event = (value: object) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);

describe('createProviderMeter()', () => {
  const start = async (isModelCall = true, body = REQUEST) => {
    const settled: (ProviderUse | null)[] = [];
    const meter = createProviderMeter({
      reserve: async () => ({ settle: (use) => settled.push(use) }),
    });
    const requested = isModelCall
      ? { model: 'claude-opus-4-5', body: Buffer.from(body), hasOutput: true }
      : null;
    const call = await meter.begin({ provider: 'anthropic', server: 'host' }, requested);
    call.sent();
    const booked = () =>
      settled.map(
        (use) => use && { model: use.model, input: use.counts.input, output: use.counts.output },
      );
    return { meter, call, booked };
  };
  const model = 'claude-sonnet-4-5';
  const ESTIMATED = { model: 'claude-opus-4-5', input: Math.ceil(REQUEST.length / 4) };

  it('settles a call once, when its response ends', async () => {
    const { meter, call, booked } = await start();
    call.answered(SSE);
    for (const part of [BEGUN, TEXT, ENDED]) call.write(event(part));
    expect(booked()).toEqual([]);
    call.end();
    call.end();
    meter.close();
    expect(booked()).toEqual([{ model, input: 10, output: 120 }]);
    expect([meter.hasCalled('anthropic'), meter.hasCalled('openai')]).toEqual([true, false]);
  });

  it('estimates the usage of an interrupted response from its text', async () => {
    const { call, booked } = await start();
    call.answered(SSE);
    for (const part of [BEGUN, TEXT]) call.write(event(part));
    call.end();
    expect(booked()).toEqual([{ model, input: 10, output: 100 }]);
  });

  it('given a stream that contains no counts, estimates its usage from the request and the text', async () => {
    const { call, booked } = await start();
    call.answered(SSE);
    call.write(event({ model: 'gpt-5.5', choices: [{ delta: { content: 'x'.repeat(40) } }] }));
    call.end();
    expect(booked()).toEqual([{ ...ESTIMATED, model: 'gpt-5.5', output: 10 }]);
  });

  it('estimates the maximum cost for an image in the request', async () => {
    const data = `iVBORw0KGgo${'A'.repeat(1_400_000)}`;
    const body = JSON.stringify({ source: { type: 'base64', data } });
    const { meter, booked } = await start(true, body);
    meter.close();
    expect(booked()[0]?.input).toBeLessThan(5_000);
  });

  it.each<[string, string | null]>([
    ['before the response', null],
    ['during a response that is not a stream', JSON_TYPE],
  ])('estimates the highest output if the client disconnects %s', async (_, type) => {
    const { call, meter, booked } = await start(true, LIMITED);
    if (type) call.answered(type);
    if (type) call.write(Buffer.from('{"id":'));
    meter.close();
    expect(booked()).toMatchObject([{ model: 'claude-opus-4-5', output: 900 }]);
  });

  it.each<[string, (call: Awaited<ReturnType<typeof start>>['call']) => void]>([
    ['was rejected', (call) => call.failed('500')],
    ['is free and reports no usage', (call) => call.answered(JSON_TYPE)],
  ])('settles as unused a call that %s', async (what, end) => {
    const { call, booked } = await start(what === 'was rejected');
    end(call);
    call.end();
    expect(booked()).toEqual([null]);
  });
});
