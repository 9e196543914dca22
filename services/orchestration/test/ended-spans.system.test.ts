import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort, until } from '@switchyard/testing';
import supertest from 'supertest';
import { type ApiProcess, startApiProcess } from './api-process';
import { useHarness } from './harness';
import { PROVIDER_HOST } from './providers/serve-provider';
import { type ReceivedSpan, receiveSpans } from './span-receiver';
import {
  type ListeningWorker,
  startRunnerProcess,
  startWorkerProcess,
  type WorkerProcess,
} from './worker-process';

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };
const USAGE = { input_tokens: 11, output_tokens: 5 };
const BEGUN = { type: 'message_start', message: { model: 'cut', usage: USAGE } };

const AGENT = `
  const { env, argv } = process;
  (async () => {
    for (const named of argv.slice(1)) {
      const [name, model] = named.split('/');
      const provider = name.toUpperCase();
      const headers = { 'content-type': 'application/json', 'x-api-key': env[provider + '_API_KEY'] };
      const body = JSON.stringify({ model, max_tokens: 1000, messages: [] });
      await fetch(env[provider + '_BASE_URL'] + '/v1/messages', { method: 'POST', headers, body })
        .then((answer) => answer.text())
        .catch(() => undefined);
    }
  })();`;

describe('spans of failed calls and interrupted runs', () => {
  const harness = useHarness();
  const hanging = new Map<string, ServerResponse[]>();
  let collector: Awaited<ReturnType<typeof receiveSpans>>;
  let provider: Server;
  let api: ApiProcess;
  let worker: ListeningWorker;
  let settings: Record<string, string>;
  const runners: WorkerProcess[] = [];

  const startRunner = async (name: string) => {
    const runner = await startRunnerProcess(harness.config, worker.url, {
      ...settings,
      RUNNER_NAME: name,
    });
    runners.push(runner);
    return runner;
  };

  beforeAll(async () => {
    collector = await receiveSpans();
    provider = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { model } = JSON.parse(text) as { model: string };
      if (model === 'broken') return response.writeHead(529, JSON_TYPE).end('{}');
      if (model === 'cut') {
        response.writeHead(200, STREAM_TYPE).write(`data: ${JSON.stringify(BEGUN)}\n\n`);
        return setImmediate(() => response.destroy());
      }
      const earlier = hanging.get(model);
      if (model.startsWith('hangs') && !earlier?.some(({ closed }) => closed)) {
        return hanging.set(model, [...(earlier ?? []), response]);
      }
      return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ model, usage: USAGE }));
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
    worker = await startWorkerProcess(harness.config, environment);
    const closedPort = await freePort();
    const at = (to: number) => ({
      baseUrl: `http://${PROVIDER_HOST}:${to}`,
      header: 'x-api-key',
      value: 'key',
    });
    settings = {
      GATEWAY_PROVIDERS: JSON.stringify({ open: at(port), closed: at(closedPort) }),
      AGENT_ALLOWED_HOSTS: `${PROVIDER_HOST}:${port},${PROVIDER_HOST}:${closedPort}`,
      MODEL_PRICES: JSON.stringify({ dear: { input: 1_000, output: 1_000 } }),
    };
    await startRunner('first');
  });

  afterAll(async () => {
    for (const started of [api, ...runners, worker]) {
      started.signal('SIGTERM');
      await started.ended;
    }
    provider.closeAllConnections();
    provider.close();
    await collector.close();
  });

  const begin = async (models: string[], budgetMonthlyCents = 0) => {
    const { id: agentId } = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['-e', AGENT, ...models] },
    });
    const agents = supertest(api.url);
    await agents.patch(`/api/agents/${agentId}`).send({ budgetMonthlyCents }).expect(200);
    const { body } = await agents.post(`/api/agents/${agentId}/heartbeat/invoke`).send({});
    return body.id as string;
  };

  const ended = (runId: string) =>
    until('the run to end', () =>
      harness.db.heartbeatRun.findFirst({ where: { id: runId, finishedAt: { not: null } } }),
    );

  const hangs = (model: string) =>
    until(`a call of ${model} at the provider`, () => hanging.get(model)?.at(-1));

  const spansOf = (runId: string, name: string | RegExp) =>
    collector.spans.filter(
      (span) =>
        span.attributes['switchyard.run_id'] === runId &&
        (typeof name === 'string' ? span.name === name : name.test(span.name)),
    );

  const spanOf = (runId: string, name: string): Promise<ReceivedSpan> =>
    until(`the span ${name}`, () => spansOf(runId, name).at(0));

  const attemptsOf = (runId: string, count: number) =>
    until(`${count} spans of the run`, () => {
      const spans = spansOf(runId, /^invoke_agent/);
      return spans.length === count ? spans : null;
    });

  it.each([
    ['open/broken', '529', { 'gen_ai.request.model': 'broken' }],
    ['closed/gone', 'ECONNREFUSED', { 'gen_ai.request.model': 'gone' }],
    ['open/cut', 'ECONNRESET', { 'gen_ai.usage.input_tokens': '11' }],
  ])('have an error status and type: %s', async (model, type, attributes) => {
    const runId = await begin([model]);
    await ended(runId);
    const span = await spanOf(runId, `chat ${model.split('/')[1]}`);
    expect(span).toMatchObject({
      status: { code: 2 },
      attributes: {
        'error.type': type,
        'server.address': PROVIDER_HOST,
        'gen_ai.provider.name': model.split('/')[0],
        ...attributes,
      },
    });
    expect(await spanOf(runId, span.name)).toMatchObject({ traceId: span.traceId });
    const [run] = await attemptsOf(runId, 1);
    expect(run?.spanId).toBe(span.parentSpanId);
  });

  it('have the code of a budget that refuses the call', async () => {
    const runId = await begin(['open/dear'], 1);
    await ended(runId);
    expect(await spanOf(runId, 'chat dear')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'agent_budget', 'gen_ai.request.model': 'dear' },
    });
  });

  it('end when the run is cancelled', async () => {
    const runId = await begin(['open/hangs-until-cancel']);
    await hangs('hangs-until-cancel');
    await supertest(api.url).post(`/api/heartbeat-runs/${runId}/cancel`).send({}).expect(200);
    await ended(runId);
    expect(await spanOf(runId, 'chat hangs-until-cancel')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'cancelled' },
    });
    const [run] = await attemptsOf(runId, 1);
    expect(run).toMatchObject({
      status: { code: 0 },
      attributes: { 'error.type': 'cancelled' },
    });
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'end for each attempt, if %s ends the runner',
    async (signal) => {
      const model = `hangs-until-${signal}`;
      const runId = await begin([`open/before-${signal}`, `open/${model}`]);
      await hangs(model);
      const runner = runners.at(-1) as WorkerProcess;
      runner.signal(signal);
      await runner.ended;
      await startRunner('first');
      await ended(runId);
      const attempts = await attemptsOf(runId, 2);
      expect(attempts.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
        [{ code: 2 }, 'interrupted'],
        [{ code: 0 }, undefined],
      ]);
      const calls = await until('both calls', () => {
        const found = spansOf(runId, `chat before-${signal}`);
        return found.length === 2 ? found : null;
      });
      expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual(
        attempts.map(({ spanId }) => spanId),
      );
    },
  );

  it('have a parent that is sent too', async () => {
    for (const started of [...runners, worker, api]) {
      started.signal('SIGTERM');
      await started.ended;
    }
    const sent = new Set(collector.spans.map(({ spanId }) => spanId));
    const orphans = collector.spans.filter(
      ({ parentSpanId }) => parentSpanId && !sent.has(parentSpanId),
    );
    expect(orphans.map(({ service, name }) => [service, name])).toEqual([]);
  });
});
