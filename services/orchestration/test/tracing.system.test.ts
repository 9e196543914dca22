import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@switchyard/testing';
import supertest from 'supertest';
import { type ApiProcess, startApiProcess } from './api-process';
import { type FakeS3, startFakeS3 } from './fake-s3';
import { useHarness } from './harness';
import { type ReceivedSpan, receiveSpans } from './span-receiver';
import { openReceiver, WEBHOOK_SECRET } from './webhook-receiver';
import { startRunnerProcess, startWorkerProcess, type WorkerProcess } from './worker-process';

const ROOT = join(__dirname, '../../..');
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';

const AGENT = `
  console.log('names:' + Object.keys(process.env).filter((name) => /TRACE|OTEL/i.test(name)).join());
  fetch(process.env.SERVICE_API_URL + '/api/companies/' + process.env.SERVICE_COMPANY_ID + '/issues', {
    headers: { Authorization: 'Bearer ' + process.env.SERVICE_API_KEY, 'X-Correlation-ID': 'by-the-agent' },
  }).then((answer) => console.log('status:' + answer.status));`;

describe('tracing with a collector', () => {
  const harness = useHarness();
  let collector: Awaited<ReturnType<typeof receiveSpans>>;
  let api: ApiProcess;
  let worker: WorkerProcess;
  let runner: WorkerProcess;
  let s3: FakeS3;
  let runId: string;
  let companyId: string;

  beforeAll(async () => {
    collector = await receiveSpans();
    s3 = await startFakeS3('bucket');
    const environment = {
      S3_BUCKET: 'bucket',
      S3_REGION: 'local',
      S3_ENDPOINT: s3.url,
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    };
    api = await startApiProcess(harness.config, environment);
    harness.config.publicUrl = api.url;
    const started = await startWorkerProcess(harness.config, environment);
    worker = started;
    runner = await startRunnerProcess(harness.config, started.url);
    const { build, db } = harness;
    const agent = await build.agent({
      name: 'Tess',
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['-e', AGENT] },
    });
    companyId = agent.companyId;
    const issue = await build.issue({ companyId });
    await supertest(api.url)
      .post(`/api/issues/${issue.id}/comments`)
      .set('traceparent', `00-${TRACE_ID}-${CALLER_SPAN}-01`)
      .set('X-Correlation-ID', 'asked-by-the-test')
      .send({ body: '@Tess please' })
      .expect(201);
    const run = await until('the run to end', () =>
      db.heartbeatRun.findFirst({ where: { agentId: agent.id, status: 'succeeded' } }),
    );
    runId = run.id;
  });

  afterAll(async () => {
    for (const started of [api, runner, worker]) {
      started.signal('SIGTERM');
      await started.ended;
    }
    await collector.close();
    await s3.close();
  });

  const inTrace = (name: string): Promise<ReceivedSpan> =>
    until(`the span ${name}`, () =>
      collector.spans.find((span) => span.traceId === TRACE_ID && span.name === name),
    );

  it('records the request, its jobs and the run in one trace', async () => {
    const request = await inTrace('POST /api/issues/:issueId/comments');
    expect(request).toMatchObject({ service: 'switchyard-api', parentSpanId: CALLER_SPAN });
    const admission = await inTrace('mention-wakeups process');
    expect(admission.service).toBe('switchyard-worker');
    const job = await inTrace('heartbeat-runs process');
    const run = await inTrace('heartbeat run');
    expect(run).toMatchObject({ service: 'switchyard-worker', parentSpanId: job.spanId });
    expect(run.attributes['switchyard.run_id']).toBe(runId);

    const parents = new Map(collector.spans.map((span) => [span.spanId, span.parentSpanId]));
    const above = (spanId: string | undefined): string[] =>
      spanId ? [spanId, ...above(parents.get(spanId))] : [];
    expect(above(job.spanId)).toEqual(expect.arrayContaining([admission.spanId, request.spanId]));
    expect(above(job.spanId).at(-1)).toBe(CALLER_SPAN);
  });

  it('describes a request by the HTTP conventions, without texts, and records no probes', async () => {
    await supertest(api.url).get('/readyz').expect(200);
    const request = await inTrace('POST /api/issues/:issueId/comments');
    expect(request.kind).toBe(2);
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': '201',
      'http.route': '/api/issues/:issueId/comments',
      'url.path': expect.stringMatching(/^\/api\/issues\/[0-9a-f-]{36}\/comments$/),
      'url.scheme': 'http',
    });
    expect(JSON.stringify(collector.spans)).not.toContain('@Tess please');
    expect(collector.spans.filter(({ name }) => /readyz|metrics/.test(name))).toEqual([]);
  });

  it('continues the trace in the server of an http agent', async () => {
    const received: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      received.push(request.headers);
      response.writeHead(500).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { build } = harness;
    const adapterConfig = { url: `http://127.0.0.1:${port}/secret-path` };
    await build.agent({ companyId, name: 'Hal', adapterType: 'http', adapterConfig });
    const issue = await build.issue({ companyId });
    await supertest(api.url)
      .post(`/api/issues/${issue.id}/comments`)
      .set('traceparent', `00-${TRACE_ID}-${CALLER_SPAN}-01`)
      .send({ body: '@Hal please' })
      .expect(201);
    const call = await inTrace('POST');
    server.close();
    expect(call).toMatchObject({ service: 'switchyard-worker', kind: 3, status: { code: 2 } });
    expect(call.attributes).toEqual({
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': '500',
      'error.type': '500',
    });
    expect(received[0]?.traceparent).toBe(`00-${TRACE_ID}-${call.spanId}-01`);
  });

  it('continues the trace of the request in the callback of its run', async () => {
    const traceId = 'c'.repeat(32);
    const receiver = await openReceiver();
    const fields = { callbackUrl: `${receiver.url}/secret-path`, callbackSecret: WEBHOOK_SECRET };
    const { build } = harness;
    const adapterConfig = { command: 'true' };
    const agent = await build.agent({ companyId, adapterType: 'process', adapterConfig });
    await supertest(api.url)
      .post(`/api/agents/${agent.id}/heartbeat/invoke`)
      .set('traceparent', `00-${traceId}-${CALLER_SPAN}-01`)
      .send(fields)
      .expect(202);
    const call = await until('the callback', () => receiver.calls[0]);
    receiver.verified(call);
    receiver.close();
    const span = await until('the span of the callback', () =>
      collector.spans.find((one) => one.traceId === traceId && one.kind === 3),
    );
    expect(call.headers.traceparent).toBe(`00-${traceId}-${span.spanId}-01`);
    expect(JSON.stringify(collector.spans)).not.toContain('secret-path');
  });

  it('records a call to S3 as a part of its request, without the object’s key', async () => {
    const traceId = 'd'.repeat(32);
    const { id } = await harness.build.issue({ companyId });
    const file = { filename: 'a.txt', contentType: 'text/plain' };
    await supertest(api.url)
      .post(`/api/companies/${companyId}/issues/${id}/attachments`)
      .set('traceparent', `00-${traceId}-${CALLER_SPAN}-01`)
      .attach('file', Buffer.from('words'), file)
      .expect(201);
    const spanOf = (name: string) =>
      until(`the span ${name}`, () =>
        collector.spans.find((span) => span.traceId === traceId && span.name === name),
      );
    const request = await spanOf('POST /api/companies/:companyId/issues/:issueId/attachments');
    const call = await spanOf('S3/PutObject');
    expect(call).toMatchObject({ parentSpanId: request.spanId, kind: 3 });
    expect(call.attributes).toEqual({
      'rpc.system': 'aws-api',
      'rpc.service': 'S3',
      'rpc.method': 'PutObject',
    });
  });

  it('records no span of a request that its caller has not sampled, but logs the trace', async () => {
    const traceId = 'f'.repeat(32);
    await supertest(api.url)
      .get('/api/companies')
      .set('traceparent', `00-${traceId}-${CALLER_SPAN}-00`);
    await supertest(api.url)
      .get('/api/companies')
      .set('traceparent', `00-${TRACE_ID}-${CALLER_SPAN}-01`);
    await inTrace('GET /api/companies');
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    expect(api.lines.join()).toContain(traceId);
  });

  it('removes the token of an invite from the recorded URL', async () => {
    const token = 'a-token-that-nobody-else-may-read';
    await supertest(api.url).post(`/api/auth/invites/${token}/accept`).send({});
    await until('the span of the invite', () =>
      collector.spans.find((span) => span.attributes['url.path']?.endsWith('/accept')),
    );
    expect(JSON.stringify(collector.spans)).not.toContain(token);
  });

  it('passes no tracing variables to the agent', async () => {
    const { body } = await supertest(api.url).get(`/api/heartbeat-runs/${runId}/log`).expect(200);
    expect(body.content).toContain('names:\n');
    expect(body.content).toContain('status:200');
  });

  it('adds the ids of the request, the company, the run and the trace to log lines', async () => {
    const lines = (of: WorkerProcess) =>
      of.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const asked = lines(api).filter(({ correlationId }) => correlationId === 'asked-by-the-test');
    expect(asked).toEqual([
      expect.objectContaining({ message: 'request', status: 201, companyId, traceId: TRACE_ID }),
    ]);
    const ofRun = lines(worker).filter((line) => line.runId === runId);
    expect(ofRun.map(({ message }) => message)).toEqual(['run started', 'run ended']);
    const ids = { correlationId: 'asked-by-the-test', companyId, traceId: TRACE_ID };
    for (const line of ofRun) expect(line).toMatchObject({ ...ids, process: 'worker' });
    const byAgent = lines(api).find(({ correlationId }) => correlationId === 'by-the-agent');
    expect(byAgent).toMatchObject({ status: 200, companyId, runId });
  });
});

async function loadedFiles(environment: Record<string, string>): Promise<string[]> {
  const program = `
    require('@switchyard/server/tracing');
    for (const file of ['http/app', 'create-context', 'work/jobs', 'observability/probes']) require('./dist/' + file + '.js');
    console.log(JSON.stringify(Object.keys(require.cache).filter((file) => /@opentelemetry/.test(file))));
    process.exit(0)`;
  const cwd = join(__dirname, '..');
  const env = { PATH: process.env.PATH, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd, env });
  return (JSON.parse(stdout) as string[]).map((file) => file.replace(/^.*node_modules\//, ''));
}

describe('tracing without a collector', () => {
  it('loads only the API package of OpenTelemetry', async () => {
    const files = await loadedFiles({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
    expect(files.filter((file) => !file.startsWith('@opentelemetry/api/'))).toEqual([]);
    const asked = await loadedFiles({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect(asked.some((file) => file.startsWith('@opentelemetry/sdk-node/'))).toBe(true);
  });

  it('starts in the API, the worker and the metrics service', () => {
    const bins = [
      'orchestration/src/bin/api',
      'orchestration/src/bin/worker',
      'metrics/src/bin/metrics',
    ];
    for (const bin of bins) {
      const text = readFileSync(join(ROOT, 'services', `${bin}.ts`), 'utf8');
      expect(/^import .*$/m.exec(text)?.[0]).toBe("import '@switchyard/server/tracing';");
    }
  });
});
