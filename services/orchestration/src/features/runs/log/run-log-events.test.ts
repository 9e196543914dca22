import { get, type IncomingMessage } from 'node:http';
import { newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import type { RunLogEnd, RunLogPart } from '@switchyard/types';
import { fillRunLog } from '../../../../test/fill-run-log';
import { useHarness } from '../../../../test/harness';
import { finishRun } from '../../../state/runs/end-run';
import { appendRunLog } from '../../../state/runs/run-log';
import { eventStreams } from '../../events/event-streams';
import { runLogs } from './run-logs';

const NEVER_MS = 3_600_000;
const limits = {
  max: 100,
  maxPerCompany: 20,
  maxPerCaller: 20,
  heartbeatMs: 50,
  recheckMs: 50,
  pollMs: NEVER_MS,
  stallMs: NEVER_MS,
};

describe('GET /api/heartbeat-runs/{runId}/log/events', () => {
  const harness = useHarness({ config: { eventStreams: limits } });
  const closers: (() => void)[] = [];

  const open = async (
    runId: string,
    query = '',
    headers: Record<string, string> = {},
    isPaused = false,
  ) => {
    const url = `${harness.url}/api/heartbeat-runs/${runId}/log/events${query}`;
    const request = get(url, { headers, agent: false });
    closers.push(() => request.destroy());
    request.on('error', () => undefined);
    const response = await new Promise<IncomingMessage>((resolve) =>
      request.once('response', resolve),
    );
    if (isPaused) response.pause();
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => response.once('close', resolve));
    const events = <Data>(name: string) =>
      [...text.matchAll(/^id: (.+)\nevent: (\w+)\ndata: (.+)\n\n/gm)]
        .filter((match) => match[2] === name)
        .map((match) => ({ id: match[1], data: JSON.parse(match[3] as string) as Data }));
    return {
      status: response.statusCode,
      response,
      ended,
      parts: () => events<RunLogPart>('log'),
      ends: () => events<RunLogEnd>('ended'),
      content: () =>
        events<RunLogPart>('log')
          .map(({ data }) => data.content)
          .join(''),
      close: () => request.destroy(),
    };
  };

  const liveRun = async () => {
    const { id, agent } = await harness.build.liveRun();
    const run = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
    const write = (content: string | Buffer<ArrayBuffer>) =>
      appendRunLog(harness.context.db, run, Buffer.from(content));
    const wakeReasons: never[] = [];
    const end = () =>
      finishRun(harness.context, { ...run, wakeReasons }, { status: 'succeeded', exitCode: 0 });
    return { id, companyId: agent.companyId, write, end };
  };

  afterEach(async () => {
    for (const close of closers.splice(0)) close();
    await until('all streams to be gone', () => eventStreams(harness.context).count() === 0);
  });

  it('sends existing output, then new output, then the end', async () => {
    const run = await liveRun();
    await run.write('one\n');
    const client = await open(run.id);
    await until('what is there', () => client.content() === 'one\n');
    await run.write('two\n');
    await until('what is written', () => client.content() === 'one\ntwo\n');
    expect(client.parts().map(({ id, data }) => [id, data.offset, data.nextOffset])).toEqual([
      ['4', 0, 4],
      ['8', 4, 8],
    ]);
    await run.end();
    await client.ended;
    expect(client.ends()).toEqual([
      {
        id: '8-ended',
        data: {
          status: 'succeeded',
          finishedAt: expect.any(String),
          exitCode: 0,
          errorCode: null,
          error: null,
          size: 8,
        },
      },
    ]);
  });

  it('resumes after the last event or starts at an offset, and returns 204 if the client has already received the end', async () => {
    const run = await liveRun();
    await run.write('one\ntwo ü\n');
    await run.end();
    const contentOf = async (...args: [string?, Record<string, string>?]) => {
      const client = await open(run.id, ...args);
      await client.ended;
      expect(client.ends()).toHaveLength(1);
      return client.content();
    };
    expect(await contentOf()).toBe('one\ntwo ü\n');
    expect(await contentOf('?from=4')).toBe('two ü\n');
    expect(await contentOf('', { 'Last-Event-ID': '8' })).toBe('ü\n');
    expect(await contentOf('?from=0', { 'Last-Event-ID': '11' })).toBe('');
    expect(await contentOf('?tail=2')).toBe('\n');
    expect(await contentOf('?tail=3')).toBe('ü\n');
    expect(await contentOf('?tail=2000000000')).toBe('one\ntwo ü\n');
    expect(await contentOf('?from=2000000000')).toBe('');
    const over = await open(run.id, '', { 'Last-Event-ID': '11-ended' });
    expect(over.status).toBe(204);
  });

  it('waits for the rest of an incomplete character', async () => {
    const run = await liveRun();
    const [first, second] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)];
    await run.write(Buffer.concat([Buffer.from('x'), first]));
    const client = await open(run.id);
    await until('the character before', () => client.content() === 'x');
    await run.write(Buffer.from(second));
    await until('the whole character', () => client.content() === 'xü');
    await run.write(Buffer.from(first));
    await run.end();
    await client.ended;
    expect(client.content()).toBe('xü\uFFFD');
  });

  it('follows a waiting run, and ends when the run is cancelled', async () => {
    const { api, build } = harness;
    const { id } = await build.queuedRun((await build.agent()).id);
    const client = await open(id);
    await api.post(`/api/heartbeat-runs/${id}/cancel`).expect(200);
    await client.ended;
    expect(client.ends()[0]?.data).toMatchObject({ status: 'cancelled', errorCode: 'cancelled' });
  });

  it('reads each part of the log only once for all clients', async () => {
    const run = await liveRun();
    const clients = await Promise.all(Array.from({ length: 10 }, () => open(run.id)));
    const logs = runLogs(harness.context);
    const [one, other] = [logs.read(run.id, 0), logs.read(run.id, 0)];
    expect(one).toBe(other);
    await Promise.all([one, other]);
    await run.write('x');
    for (const client of clients) await until('the part', () => client.content() === 'x');
  });

  it('stops reading the log while the client does not read the response', async () => {
    const run = await liveRun();
    await fillRunLog(harness, run.id, 16);
    const reads = jest.spyOn(runLogs(harness.context), 'read');
    const slow = await open(run.id, '', {}, true);
    await until('the client to be full', () => reads.mock.calls.length > 1);
    await run.end();
    const fast = await open(run.id);
    await fast.ended;
    expect(fast.content()).toHaveLength(16 * 1_048_576);
    expect(reads.mock.calls.length).toBeLessThan(2 * 256);
    reads.mockRestore();
    slow.response.resume();
    await slow.ended;
    expect(slow.content()).toHaveLength(16 * 1_048_576);
  });

  it('streams to an agent of the company until its credential is deleted', async () => {
    const { build, api } = harness;
    const run = await liveRun();
    const agent = await build.agent({ companyId: run.companyId });
    const key = await build.apiKey(agent.id);
    const client = await open(run.id, '', { Authorization: key });
    expect(client.status).toBe(200);
    const keys = await api.get(`/api/agents/${agent.id}/keys`);
    await api.delete(`/api/agents/${agent.id}/keys/${keys.body[0].id}`);
    await client.ended;
    expect(client.ends()).toEqual([]);

    const path = `/api/heartbeat-runs/${run.id}/log/events`;
    const foreign = await build.liveRun();
    const refused = await api.get(path).set('Authorization', foreign.authorization);
    expect([refused.status, refused.body.code]).toEqual([403, 'cross_company']);
    expect((await api.get(`/api/heartbeat-runs/${newId()}/log/events`)).status).toBe(404);
    for (const [field, query, headers] of [
      ['from', '?from=-1', {}],
      ['from', '?from=99999999999', {}],
      ['tail', '?tail=x', {}],
      ['offset', '?offset=1', {}],
      ['Last-Event-ID', '', { 'Last-Event-ID': '1-1' }],
    ] as const) {
      const { status, body } = await api.get(`${path}${query}`).set(headers);
      expect([field, status, body.details[0].path]).toEqual([field, 400, [field]]);
    }
  });
});
