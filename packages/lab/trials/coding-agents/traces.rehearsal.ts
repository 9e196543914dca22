import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiProcess, startApiProcess } from '@switchyard/orchestration/test/api-process';
import { useHarness } from '@switchyard/orchestration/test/harness';
import {
  PROVIDER_HOST,
  type ScriptedProvider,
  serveProvider,
} from '@switchyard/orchestration/test/providers/serve-provider';
import {
  startRunnerProcess,
  startWorkerProcess,
  type WorkerProcess,
} from '@switchyard/orchestration/test/worker-process';
import { until } from '@switchyard/testing';
import { installTool } from './install-tool';
import { installReaders, type Reader } from './otlp-readers';
import { CLAUDE, CODEX, OPENCODE, OPERATORS_KEY } from './tools';

const CLICK = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const ANSWER = 'canary-of-the-answer';
const PROMPT = 'canary-of-the-prompt';
const COLLECTOR_KEY = 'canary-of-the-collector';
const CACHE = join(homedir(), '.cache/switchyard');

describe.each([CLAUDE, CODEX, OPENCODE])('the trace of a click on $tool', (rehearsed) => {
  const harness = useHarness();
  const exports: { type: string; body: Buffer }[] = [];
  const processes: WorkerProcess[] = [];
  let collector: Server;
  let provider: ScriptedProvider;
  let api: ApiProcess;
  let home: string;
  let readers: Reader[];

  beforeAll(async () => {
    readers = await installReaders(join(CACHE, 'otlp-readers'));
    const command = await installTool(rehearsed.tool);
    home = await mkdtemp(join(tmpdir(), 'rehearsal-'));
    await mkdir(join(home, '.codex'));
    collector = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const type = request.headers['content-type'] ?? '';
      exports.push({ type, body: Buffer.concat(chunks) });
      response.setHeader('content-type', type).end(type.includes('json') ? '{}' : '');
    });
    await once(collector.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
    };
    provider = await serveProvider(rehearsed.format, PROVIDER_HOST);
    api = await startApiProcess(harness.config, environment);
    harness.config.publicUrl = api.url;
    const worker = await startWorkerProcess(harness.config, environment);
    const runner = await startRunnerProcess(harness.config, worker.url, {
      HOME: home,
      [COMMANDS[rehearsed.tool]]: command,
      GATEWAY_PROVIDERS: JSON.stringify(rehearsed.provided(provider.url)),
      GATEWAY_TRACES: JSON.stringify({
        url: `${url}/v1/traces`,
        headers: { 'x-collector-key': COLLECTOR_KEY },
      }),
    });
    processes.push(runner, worker, api);
  }, 660_000);
  afterAll(async () => {
    for (const started of processes) {
      started.signal('SIGTERM');
      await started.ended;
    }
    collector?.close();
    await provider?.close();
    if (home) await rm(home, { recursive: true, force: true });
  });

  it('reaches the model call, and two foreign libraries read the same spans without texts', async () => {
    const { build, db } = harness;
    const agent = await build.agent({
      name: 'Tess',
      adapterType: rehearsed.adapterType,
      adapterConfig: { model: rehearsed.model, timeoutSec: 240 },
    });
    const issue = await build.issue({ companyId: agent.companyId, status: 'todo' });
    const tokens = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };
    provider.play([{ say: ANSWER, tokens }]);
    const path = `${api.url}/api/issues/${issue.id}/comments`;
    const headers = {
      'content-type': 'application/json',
      traceparent: `00-${CLICK.traceId}-${CLICK.spanId}-01`,
    };
    const body = JSON.stringify({ body: `@Tess ${PROMPT}` });
    expect((await fetch(path, { method: 'POST', headers, body })).status).toBe(201);
    const { id, status } = await until('the run to end', () =>
      db.heartbeatRun.findFirst({ where: { agentId: agent.id, finishedAt: { not: null } } }),
    );
    const log = await fetch(`${api.url}/api/heartbeat-runs/${id}/log?limit=1048576`);
    expect({ status, log: await log.text() }).toMatchObject({ status: 'succeeded' });

    const [first, second] = readers as [Reader, Reader];
    const spans = await until('the span of the run', async () => {
      const read = (await Promise.all(exports.map(first))).flat();
      const found = read.filter(({ traceId }) => traceId === CLICK.traceId);
      const names = found.map(({ name }) => name);
      return names.includes('invoke_agent Tess') && names.some((name) => /^chat /.test(name))
        ? found
        : null;
    });
    const others = (await Promise.all(exports.map(second))).flat();
    for (const span of spans) expect(others).toContainEqual(span);
    const parents = new Map(spans.map((span) => [span.spanId, span.parentSpanId]));
    const rootOf = (spanId: string): string => {
      const parent = parents.get(spanId);
      return parent === undefined ? spanId : rootOf(parent);
    };
    const chat = spans.find(({ name }) => /^chat /.test(name));
    expect(rootOf(chat?.spanId ?? '')).toBe(CLICK.spanId);

    const sent = Buffer.concat(exports.map((one) => one.body)).toString('latin1');
    for (const secret of [ANSWER, PROMPT, COLLECTOR_KEY, OPERATORS_KEY]) {
      expect(sent).not.toContain(secret);
    }
    const ofTool = exports.filter(({ type }) => type.includes('json'));
    const own = (await Promise.all(ofTool.map(first))).flat();
    expect(own.length).toBeGreaterThan(0);
    const within = own.filter(({ traceId }) => traceId === CLICK.traceId).length;
    process.stdout.write(
      `${rehearsed.tool}: ${spans.length} spans in the trace of the click, ${within} of ${own.length} of the tool\n`,
    );
  }, 300_000);
});

const COMMANDS = {
  claude: 'CLAUDE_CODE_COMMAND',
  codex: 'CODEX_COMMAND',
  opencode: 'OPENCODE_COMMAND',
};
