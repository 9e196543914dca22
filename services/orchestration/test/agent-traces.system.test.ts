import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@switchyard/testing';
import supertest from 'supertest';
import { type ApiProcess, startApiProcess } from './api-process';
import { useHarness } from './harness';
import { PROVIDER_HOST } from './providers/serve-provider';
import { type ReceivedSpan, receiveSpans } from './span-receiver';
import { startRunnerProcess, startWorkerProcess, type WorkerProcess } from './worker-process';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SECRET_TEXTS = {
  key: 'canary-of-the-provider-key',
  prompt: 'canary-of-the-prompt',
  answer: 'canary-of-the-model-answer',
  argument: 'canary-of-an-argument',
  error: 'canary-of-an-error',
  exported: 'canary-of-an-exported-text',
};
const COLLECTOR_KEY = 'canary-of-the-collector-key';
const EXPORTED_SPAN = 'c7ad6b7169203332';

const AGENT = `
  const { env } = process;
  const post = (url, headers, body) => fetch(url, {
    method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body),
  });
  const names = Object.keys(env).filter((name) => /TRACE|OTEL/i.test(name)).sort();
  console.log('tracing:' + JSON.stringify(Object.fromEntries(names.map((name) => [name, env[name]]))));
  (async () => {
    const asked = { model: 'model-1', messages: [{ role: 'user', content: '${SECRET_TEXTS.prompt}' }] };
    const said = await post(env.MODELS_BASE_URL + '/v1/messages', { 'x-api-key': env.MODELS_API_KEY }, asked);
    console.log('provider:' + said.status);
    const params = {
      name: 'comment',
      arguments: { issue: env.SERVICE_ISSUE_ID, text: '${SECRET_TEXTS.argument}' },
      _meta: { traceparent: env.TRACEPARENT },
    };
    const headers = {
      authorization: 'Bearer ' + env.SERVICE_API_KEY,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    };
    const call = (more) => post(env.SERVICE_API_URL + '/mcp', headers, {
      jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ...more },
    });
    console.log('tool:' + (await call({})).status);
    console.log('tool:' + (await call({ arguments: { issue: 'NONE-1', text: '${SECRET_TEXTS.argument}' } })).status);
    const [, traceId, parentSpanId] = env.TRACEPARENT.split('-');
    const now = String(Date.now()) + '000000';
    const text = (key, stringValue) => ({ key, value: { stringValue } });
    const span = {
      traceId, parentSpanId, spanId: '${EXPORTED_SPAN}', name: 'think', kind: 1,
      startTimeUnixNano: now, endTimeUnixNano: now,
      attributes: [text('gen_ai.request.model', 'model-1'), text('ai.prompt', '${SECRET_TEXTS.exported}')],
      status: { code: 2, message: '${SECRET_TEXTS.exported}' },
    };
    const resource = { attributes: [text('service.name', 'program')] };
    const resourceSpans = [{ resource, scopeSpans: [{ spans: [span] }] }];
    const [header, value] = decodeURIComponent(env.OTEL_EXPORTER_OTLP_HEADERS).split('=');
    const traces = env.OTEL_EXPORTER_OTLP_ENDPOINT + '/v1/traces';
    console.log('exported:' + (await post(traces, { [header]: value }, { resourceSpans })).status);
    console.log('${SECRET_TEXTS.error}');
    process.exit(3);
  })();`;

describe('traces with the GenAI conventions', () => {
  const harness = useHarness();
  let collector: Awaited<ReturnType<typeof receiveSpans>>;
  let provider: Server;
  let api: ApiProcess;
  let worker: WorkerProcess;
  let runner: WorkerProcess;
  let agentId: string;
  let runId: string;
  let log: string;

  beforeAll(async () => {
    collector = await receiveSpans();
    provider = createServer((_request, response) => {
      const usage = { input_tokens: 11, output_tokens: 5 };
      const content = [{ type: 'text', text: SECRET_TEXTS.answer }];
      const answer = { type: 'message', model: 'model-1', usage, content };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    await once(provider.listen(0, PROVIDER_HOST), 'listening');
    const { port } = provider.address() as AddressInfo;
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
    };
    api = await startApiProcess(harness.config, environment);
    harness.config.publicUrl = api.url;
    const started = await startWorkerProcess(harness.config, environment);
    worker = started;
    const models = {
      baseUrl: `http://${PROVIDER_HOST}:${port}`,
      header: 'x-api-key',
      value: SECRET_TEXTS.key,
    };
    runner = await startRunnerProcess(harness.config, started.url, {
      GATEWAY_PROVIDERS: JSON.stringify({ models }),
      GATEWAY_TRACES: JSON.stringify({
        url: `${collector.url}/v1/traces`,
        headers: { 'x-collector-key': COLLECTOR_KEY },
      }),
      AGENT_ALLOWED_HOSTS: `${PROVIDER_HOST}:${port}`,
    });
    const { build, db } = harness;
    const agent = await build.agent({
      name: 'Tess',
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['-e', AGENT] },
    });
    agentId = agent.id;
    const issue = await build.issue({ companyId: agent.companyId, status: 'todo' });
    await supertest(api.url)
      .post(`/api/issues/${issue.id}/comments`)
      .set('traceparent', `00-${TRACE_ID}-b7ad6b7169203331-01`)
      .send({ body: '@Tess please' })
      .expect(201);
    const run = await until('the run to end', () =>
      db.heartbeatRun.findFirst({ where: { agentId, finishedAt: { not: null } } }),
    );
    runId = run.id;
    log = (await supertest(api.url).get(`/api/heartbeat-runs/${runId}/log`)).body.content;
  });

  afterAll(async () => {
    for (const started of [api, runner, worker]) {
      started.signal('SIGTERM');
      await started.ended;
    }
    provider.close();
    await collector.close();
  });

  const spanOf = (name: string, from = 0): Promise<ReceivedSpan> =>
    until(`the span ${name}`, () =>
      collector.spans.filter((span) => span.traceId === TRACE_ID && span.name === name).at(from),
    );

  it('describe the run, and belong to the trace of the request that caused it', async () => {
    const span = await spanOf('invoke_agent Tess');
    expect(span.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agentId,
      'gen_ai.provider.name': 'models',
      'gen_ai.request.model': 'model-1',
      'gen_ai.usage.input_tokens': '11',
      'gen_ai.usage.output_tokens': '5',
      'error.type': 'adapter_exit',
      'switchyard.run_id': runId,
      'switchyard.attempt': '1',
    });
    expect(collector.spans.map(({ spanId }) => spanId)).toContain(span.parentSpanId);
  });

  it('continue in the program, which receives the run’s trace context and resource attributes, but not the collector’s address or key', async () => {
    const { spanId } = await spanOf('invoke_agent Tess');
    const [, passed = '{}'] = /^tracing:(.*)$/m.exec(log) ?? [];
    expect(JSON.parse(passed)).toMatchObject({
      TRACEPARENT: `00-${TRACE_ID}-${spanId}-01`,
      OTEL_RESOURCE_ATTRIBUTES: expect.stringContaining(`switchyard.run_id=${runId}`),
      OTEL_EXPORTER_OTLP_ENDPOINT: expect.stringMatching(/\/otlp$/),
    });
    expect(passed).not.toContain(new URL(collector.url).host);
    expect(log).not.toContain(COLLECTOR_KEY);
  });

  it('include the spans that the program exports through the gateway, below the run and without texts', async () => {
    expect(log).toContain('exported:200');
    const { spanId } = await spanOf('invoke_agent Tess');
    const exported = await spanOf('think');
    expect(exported).toMatchObject({
      service: 'program',
      spanId: EXPORTED_SPAN,
      parentSpanId: spanId,
      status: { code: 2 },
    });
    expect(exported.attributes).toEqual({ 'gen_ai.request.model': 'model-1' });
  });

  it('describe a request to a provider in a span below the run', async () => {
    expect(log).toContain('provider:200');
    const { spanId } = await spanOf('invoke_agent Tess');
    expect(await spanOf('chat model-1')).toMatchObject({
      parentSpanId: spanId,
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'models',
        'gen_ai.usage.input_tokens': '11',
        'server.address': PROVIDER_HOST,
      },
    });
  });

  it('describe an MCP call in a child span of the caller’s span, with an error code if the call fails', async () => {
    const { spanId } = await spanOf('invoke_agent Tess');
    expect(await spanOf('tools/call comment')).toMatchObject({
      parentSpanId: spanId,
      attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'comment' },
    });
    const refused = await spanOf('tools/call comment', 1);
    expect(refused.attributes['error.type']).toBe('not_found');
  });

  it('contain no prompts, outputs, arguments, error texts or keys', async () => {
    await spanOf('invoke_agent Tess');
    await spanOf('tools/call comment', 1);
    const sent = JSON.stringify(collector.spans);
    for (const text of Object.values(SECRET_TEXTS)) expect(sent).not.toContain(text);
  });
});
