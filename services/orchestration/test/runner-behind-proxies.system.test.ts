import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { selfSigned } from '@switchyard/runner/test/self-signed';
import { until } from '@switchyard/testing';
import type { HeartbeatRunView } from '@switchyard/types';
import { useAuthenticatedHarness } from './authenticated-harness';
import { serveForwardProxy, serveReverseProxy, type TestProxy } from './outbound-proxies';
import { USAGE, WITH_RUNNERS } from './runner-client';
import { startRunnerProcess, type WorkerProcess } from './worker-process';

const HOST = 'switchyard.test';
const COMMAND = process.execPath;

const AGENT = `
  const { SERVICE_API_URL: url, SERVICE_API_KEY: key } = process.env;
  fetch(url + '/api/agents/me', { headers: { authorization: 'Bearer ' + key } })
    .then((answer) => console.log('the API says ' + answer.status));
  if (process.argv[1] === 'stay') setInterval(() => {}, 1_000);`;

describe('a company’s runner behind an outbound proxy, with the API behind a TLS proxy', () => {
  const harness = useAuthenticatedHarness({
    config: { ...WITH_RUNNERS, publicUrl: `https://${HOST}`, processAdapterCommands: [COMMAND] },
  });
  const opened: TestProxy[] = [];
  let runner: WorkerProcess | null = null;

  afterEach(async () => {
    runner?.signal('SIGKILL');
    await runner?.ended;
    for (const each of opened.splice(0)) await each.close();
  });

  const arrange = async (patienceMs: number) => {
    const tls = selfSigned(HOST);
    const authority = join(harness.config.dataDir, 'authority.pem');
    await writeFile(authority, tls.certificate);
    const reverse = await serveReverseProxy(harness.url, tls, patienceMs);
    const forward = await serveForwardProxy({ [`${HOST}:443`]: reverse.port });
    opened.push(reverse, forward);
    const { id: companyId } = await harness.build.company();
    const made = await harness.founding
      .post(`/api/companies/${companyId}/runners`)
      .send({ name: 'Desk', labels: ['office'] })
      .expect(201);
    runner = await startRunnerProcess(harness.config, `https://${HOST}`, {
      RUNNER_TOKEN: made.body.token,
      AUTH_MODE: 'authenticated',
      PROCESS_ADAPTER_COMMANDS: COMMAND,
      HTTPS_PROXY: forward.url,
      NODE_EXTRA_CA_CERTS: authority,
    });
    return { companyId, runnerId: made.body.id as string, runner, reverse, forward };
  };
  const invoke = async (companyId: string, what: string, labels?: string[]) => {
    const adapterConfig = { command: COMMAND, args: ['-e', AGENT, what] };
    const agent = await harness.build.agent({
      companyId,
      adapterType: 'process',
      adapterConfig: { ...adapterConfig, graceSec: 0.2, ...(labels && { runnerLabels: labels }) },
    });
    return harness.build.queuedRun(agent.id);
  };
  const run = async (id: string) =>
    (await harness.founding.get(`/api/heartbeat-runs/${id}`)).body as HeartbeatRunView;
  const log = async (id: string) =>
    (await harness.founding.get(`/api/heartbeat-runs/${id}/log`)).body.content as string;
  const ended = (id: string) =>
    until('the run to end', async () => {
      const now = await run(id);
      return now.finishedAt === null ? null : now;
    });

  it('receives only runs with its label, and its agents can call the API', async () => {
    const { companyId, forward } = await arrange(60_000);
    const unlabelled = await invoke(companyId, 'leave');
    const labelled = await invoke(companyId, 'leave', ['office']);
    expect(await ended(labelled.id)).toMatchObject({ status: 'succeeded' });
    expect(await log(labelled.id)).toContain('the API says 200');
    expect((await run(unlabelled.id)).status).toBe('queued');
    expect(new Set(forward.asked)).toEqual(new Set([`${HOST}:443`]));
  });

  it('polls for shorter periods after a proxy has timed out', async () => {
    const { companyId, reverse } = await arrange(1_500);
    const polls = () => reverse.seen.filter(({ path }) => path === '/api/runner/next');
    await until('a request that was waited out', () =>
      polls().some(({ status, body }) => status === 200 && JSON.parse(String(body)).waitMs < 1_500),
    );
    expect(polls().filter(({ status }) => status === 504)).toHaveLength(1);
    const labelled = await invoke(companyId, 'leave', ['office']);
    expect(await ended(labelled.id)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('loses its runs and its access when its token is revoked', async () => {
    const { companyId, runnerId, runner: program, reverse } = await arrange(60_000);
    const { id } = await invoke(companyId, 'stay', ['office']);
    await until('the agent is at work', async () => (await log(id)).includes('the API says 200'));
    const path = `/api/companies/${companyId}/runners/${runnerId}`;
    await harness.founding.delete(path).expect(204);
    const lost = { status: 'failed', errorCode: 'worker_lost' };
    expect(await ended(id)).toMatchObject(lost);
    expect(await program.ended).toBe(1);
    const before = await log(id);
    const [logRequest] = reverse.seen.filter((one) =>
      one.path.startsWith(`/api/runner/runs/${id}/log`),
    );
    const { authorization = '', 'x-run-ticket': ticket } = logRequest?.headers ?? {};
    const claim = { authorization, 'x-run-ticket': String(ticket) };
    const at = `/api/runner/runs/${id}`;
    const late = [
      harness.api
        .post(`${at}/log?offset=${Buffer.byteLength(before)}`)
        .set(claim)
        .type('application/octet-stream')
        .send(Buffer.from('late')),
      harness.api.post(`${at}/usage`).set(claim).send({ seq: 1, usage: USAGE }),
      harness.api
        .post(`${at}/end`)
        .set(claim)
        .send({ outcome: { status: 'succeeded', exitCode: 0 } }),
    ];
    for (const each of late) expect((await each).status).toBe(401);
    expect(await run(id)).toMatchObject({ ...lost, usage: { costCents: 0, inputTokens: 0 } });
    expect(await log(id)).toBe(before);
  });
});
