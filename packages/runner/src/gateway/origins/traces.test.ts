import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { closeAll, RUN_TOKEN, serve, startGateway } from '../../../test/gateway/start-gateway';

afterEach(closeAll);

const PROMPT = 'canary-of-a-prompt';
const JSON_TYPE = 'application/json';
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

const SPAN = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: '',
  name: 'claude_code.llm_request',
  kind: 3,
  startTimeUnixNano: '1785000000000000000',
  endTimeUnixNano: '1785000001000000000',
  attributes: [
    text('gen_ai.request.model', 'model-1'),
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '11' } },
    { key: 'duration', value: { doubleValue: 1.5 } },
  ],
  status: { code: 2 },
};

const WITH_TEXTS = {
  ...SPAN,
  attributes: [
    ...SPAN.attributes,
    text('ai.prompt', PROMPT),
    text('user_prompt', PROMPT),
    text('gen_ai.request.model', PROMPT.repeat(20)),
    { key: PROMPT.replaceAll('-', ' '), value: { boolValue: true } },
    { key: 'gen_ai.input.messages', value: { arrayValue: { values: [{ stringValue: PROMPT }] } } },
    { key: 'gen_ai.request', value: { kvlistValue: { values: [text('text', PROMPT)] } } },
    { key: 'gen_ai.system', value: { bytesValue: Buffer.from(PROMPT).toString('base64') } },
  ],
  traceState: PROMPT,
  events: [{ name: PROMPT, attributes: [text('exception.message', PROMPT)] }],
  links: [{ attributes: [text('gen_ai.request.model', PROMPT)] }],
  status: { code: 2, message: PROMPT },
  unknown: PROMPT,
};

const exported = (span: object, attributes: object[] = []) => ({
  resourceSpans: [
    { resource: { attributes }, scopeSpans: [{ scope: { name: 'tool' }, spans: [span] }] },
  ],
});

describe('traces through the gateway', () => {
  const start = async (status = 200) => {
    const received: { url: string | undefined; headers: object; body: string }[] = [];
    const { port } = await serve(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const { url, headers } = incoming;
      received.push({ url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { 'content-type': JSON_TYPE }).end('{}');
    });
    const run = { id: randomUUID(), companyId: randomUUID(), token: RUN_TOKEN };
    const { gateway, port: own } = await startGateway({
      run,
      apiUrl: 'http://127.0.0.1:9',
      collector: {
        url: `http://127.0.0.1:${port}/ingest/v1/traces`,
        headers: { 'x-collector-key': 'the-key-of-the-operator' },
      },
    });
    const variables = gateway.environment(own);
    const [, authorization = ''] =
      /^authorization=(.*)$/.exec(variables.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? [];
    const send = async (
      body: object | string | Buffer | null,
      { path = '/v1/traces', method = 'POST', headers = {} } = {},
    ) => {
      const answer = await request(`${variables.OTEL_EXPORTER_OTLP_ENDPOINT}${path}`, {
        method: method as 'POST',
        headers: {
          'content-type': JSON_TYPE,
          authorization,
          ...headers,
        },
        body:
          typeof body === 'string' || Buffer.isBuffer(body) || !body ? body : JSON.stringify(body),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    };
    return { run, gateway, own, variables, received, send };
  };

  it('reach the collector with the headers of the operator, and without headers of the agent', async () => {
    const { send, received } = await start();
    const headers = { 'x-of-the-agent': '1', 'x-collector-key': 'other' };
    expect(await send(exported(SPAN), { headers })).toEqual({ status: 200, text: '{}' });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      url: '/ingest/v1/traces',
      headers: { 'x-collector-key': 'the-key-of-the-operator', 'content-type': JSON_TYPE },
    });
    expect(Object.keys(received[0]?.headers ?? {})).not.toContain('x-of-the-agent');
    expect(JSON.stringify(received)).not.toContain(RUN_TOKEN);
  });

  it('contain names, times and counts, but no texts', async () => {
    const { send, received } = await start();
    await send(exported(WITH_TEXTS));
    expect(received[0]?.body).not.toContain('canary');
    expect(JSON.parse(received[0]?.body ?? '').resourceSpans[0].scopeSpans).toEqual([
      { scope: { name: 'tool', version: '' }, spans: [SPAN] },
    ]);
  });

  it('name the run that sent them, whatever the agent writes', async () => {
    const { send, received, run } = await start();
    const claimed = [text('service.name', 'tool'), text('switchyard.run_id', randomUUID())];
    await send(exported(SPAN, claimed));
    expect(JSON.parse(received[0]?.body ?? '').resourceSpans[0].resource.attributes).toEqual([
      text('service.name', 'tool'),
      text('switchyard.run_id', run.id),
      text('switchyard.company_id', run.companyId),
    ]);
  });

  it.each<[string, object | string | Buffer | null, object, number]>([
    ['no JSON', '{', {}, 400],
    ['no body', null, {}, 400],
    ['deep nesting', '['.repeat(500_000), {}, 400],
    ['no spans', {}, {}, 400],
    ['500,000 values', `{"resourceSpans":[${'1,'.repeat(500_000)}1]}`, {}, 400],
    ['300,000 empty values', `{"resourceSpans":[${'{},'.repeat(300_000)}{}]}`, {}, 400],
    ['an invalid id', exported({ ...SPAN, spanId: 'x' }), {}, 400],
    ['an invalid time', exported({ ...SPAN, endTimeUnixNano: -1 }), {}, 400],
    ['protobuf', Buffer.from([10]), { headers: { 'content-type': 'application/x-protobuf' } }, 415],
    ['compression', exported(SPAN), { headers: { 'content-encoding': 'gzip' } }, 415],
    ['more than 1 MiB', ' '.repeat(1024 * 1024 + 1), {}, 413],
    ['logs', exported(SPAN), { path: '/v1/logs' }, 404],
    ['another method', null, { method: 'GET' }, 405],
    ['no token', exported(SPAN), { headers: { authorization: '' } }, 401],
    ['another token', exported(SPAN), { headers: { authorization: 'Bearer other' } }, 401],
  ])('are refused with %s; the next export is accepted', async (_, body, options, status) => {
    const { send, received } = await start();
    expect((await send(body, options)).status).toBe(status);
    expect(received).toEqual([]);
    expect((await send(exported(SPAN))).status).toBe(200);
  });

  it('accept at most 60 exports per minute', async () => {
    const { send } = await start();
    for (let sent = 0; sent < 60; sent++) await send('{');
    expect((await send(exported(SPAN))).status).toBe(429);
  });

  it.each([401, 302])('fail with 502 if the collector responds with %d', async (status) => {
    const { send } = await start(status);
    const refused = { status: 502, text: expect.stringContaining(String(status)) };
    expect(await send(exported(SPAN))).toEqual(refused);
  });

  it('need a collector, and an agent without an exporter of its own', async () => {
    const { gateway: closed, port } = await startGateway({ apiUrl: 'http://127.0.0.1:9' });
    const { gateway, own } = await start();
    const none = [
      closed.environment(port),
      gateway.environment(own, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example' }),
    ];
    for (const variables of none) {
      expect(Object.keys(variables).filter((name) => name.startsWith('OTEL_'))).toEqual([]);
    }
    const { statusCode } = await request(`http://127.0.0.1:${port}/otlp/v1/traces`, {
      method: 'POST',
      body: JSON.stringify(exported(SPAN)),
    });
    expect(statusCode).toBe(401);
  });
});
