import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { until } from '@switchyard/testing';
import { request } from 'undici';
import { closeAll, serve, startGateway } from '../../../test/gateway/start-gateway';
import { Refusal } from '../exchange/refusal';
import { createProviderMeter, type ProviderUse } from './provider-meter';

afterEach(closeAll);

const BEGUN = {
  type: 'message_start',
  message: { model: 'claude-sonnet-4-5', usage: { input_tokens: 10, output_tokens: 1 } },
};
const TEXT = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'x'.repeat(400) } };
const ENDED = { type: 'message_delta', usage: { output_tokens: 120 } };
const JSON_TYPE = 'application/json';
const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;

describe('metered provider calls through the gateway', () => {
  const start = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    const { port, server } = await serve((incoming, response) => {
      incoming.resume().on('end', () => answer(incoming, response));
    });
    const uses: ProviderUse[] = [];
    const state = { isSpent: false };
    const meter = createProviderMeter({
      reserve: async () => {
        if (state.isSpent) throw new Refusal(402, 'spent', null, { error: 'spent' });
        return { settle: (use) => use && uses.push(use) };
      },
    });
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const { gateway, port: own } = await startGateway({
      apiUrl: 'http://127.0.0.1:9',
      providers: { anthropic: { baseUrl, header: 'x-api-key', value: 'key' } },
      meter,
    });
    const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = gateway.environment(own);
    const ask = (path = 'messages', signal?: AbortSignal, text = '') =>
      request(`${url}/${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key as string, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'claude-sonnet-4-5', text }),
        ...(signal && { signal }),
      });
    const counted = () => uses.map(({ counts: { input, output } }) => [input, output]);
    return { ask, counted, state, server, gateway };
  };
  const stream = (response: ServerResponse, ...events: object[]) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const one of events) response.write(event(one));
  };

  it('report their usage before the client receives the end of the response', async () => {
    const { ask, counted } = await start((_, response) => {
      stream(response, BEGUN, TEXT, ENDED);
      response.end();
    });
    await (await ask()).body.text();
    expect(counted()).toEqual([[10, 120]]);
  });

  it('report the provider’s usage if the client disconnects', async () => {
    const { ask, counted } = await start((_, response) => stream(response, BEGUN, TEXT));
    const leaving = new AbortController();
    const { body } = await ask('messages', leaving.signal);
    const seen = once(body, 'data');
    body.on('error', () => undefined);
    await seen;
    leaving.abort();
    await until('the call to be booked', async () => counted().length > 0);
    expect(counted()).toEqual([[10, 100]]);
  });

  it('report the provider’s usage if the provider’s stream breaks off', async () => {
    const { ask, counted } = await start((_, response) => {
      stream(response, BEGUN, TEXT);
      response.once('drain', () => undefined);
      setImmediate(() => response.destroy());
    });
    const { body } = await ask();
    await body.text().catch(() => undefined);
    expect(counted()).toEqual([[10, expect.any(Number)]]);
  });

  it('report their usage when the run ends, even if they are still open', async () => {
    const { ask, counted, gateway } = await start((_, response) => stream(response, BEGUN));
    const { body } = await ask();
    body.on('error', () => undefined);
    await once(body, 'data');
    await gateway.close();
    expect(counted()).toEqual([[10, 1]]);
  });

  it('fail with a JSON error when the budget is spent, except for token counting', async () => {
    let requests = 0;
    const { ask, counted, state } = await start((_, response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":7}');
    });
    state.isSpent = true;
    const refused = await ask();
    expect([refused.statusCode, await refused.body.json()]).toEqual([402, { error: 'spent' }]);
    expect(requests).toBe(0);
    const free = await ask('messages/count_tokens');
    expect([free.statusCode, await free.body.text()]).toEqual([200, '{"input_tokens":7}']);
    expect(counted()).toEqual([]);
  });

  it.each([
    ['short', ''],
    ['with an image', 'x'.repeat(3_000_000)],
  ])('request include_usage for streaming Chat Completions: %s', async (_, data) => {
    const { port } = await serve(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': JSON_TYPE });
      response.end(JSON.stringify([body.stream_options, body.data === data]));
    });
    const { gateway, port: own } = await startGateway({
      apiUrl: 'http://127.0.0.1:9',
      providers: {
        openai: { baseUrl: `http://127.0.0.1:${port}/v1`, header: 'authorization', value: 'key' },
        odd: {
          baseUrl: `http://127.0.0.1:${port}/v1`,
          header: 'authorization',
          value: 'key',
          streamOptions: false,
        },
      },
    });
    const variables = gateway.environment(own);
    const sent = async (provider: string, path: string, stream: boolean) => {
      const { body } = await request(`${variables[`${provider}_BASE_URL`]}/${path}`, {
        method: 'POST',
        headers: { 'x-api-key': variables[`${provider}_API_KEY`] as string },
        body: JSON.stringify({ stream, data }),
      });
      return body.json();
    };
    expect(await sent('OPENAI', 'chat/completions', true)).toEqual([{ include_usage: true }, true]);
    expect(await sent('OPENAI', 'chat/completions', false)).toEqual([null, true]);
    expect(await sent('OPENAI', 'responses', true)).toEqual([null, true]);
    expect(await sent('ODD', 'chat/completions', true)).toEqual([null, true]);
  });

  it('fail if the request exceeds the size limit of model requests', async () => {
    const { ask, counted } = await start((_, response) => response.end());
    const { body, statusCode } = await ask('messages', undefined, 'x'.repeat(32 * 1024 * 1024));
    expect([statusCode, await body.text()]).toEqual([413, expect.stringContaining('33554432')]);
    expect(counted()).toEqual([]);
  });

  it('report no usage if the provider responds with an error', async () => {
    const { ask, counted } = await start((_, response) => {
      response.writeHead(529, { 'content-type': 'application/json' }).end('{"usage":{}}');
    });
    expect((await ask()).statusCode).toBe(529);
    expect(counted()).toEqual([]);
  });
});
