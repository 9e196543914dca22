import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HeartbeatRunView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';

describe('addresses of http agents in authenticated mode', () => {
  const harness = useAuthenticatedHarness({ context: { context: { adapters: undefined } } });
  let server: Server;
  let url: string;
  let acme: string;
  let other: string;
  const called: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      called.push(request.url ?? '');
      response.end('done');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}/run`;
    ({ id: acme } = await harness.build.company());
    ({ id: other } = await harness.build.company());
    harness.config.httpAdapterAllowedHosts.push(`127.0.0.1:${port}@${acme}`);
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const http = (adapterConfig: object, name = 'Remote') => ({
    name,
    adapterType: 'http',
    adapterConfig: { ...adapterConfig },
  });
  const refuses = async (call: { send(body: object): PromiseLike<unknown> }, body: object) => {
    const before = await everything(harness);
    const answer = (await call.send(body)) as { status: number; body: { error: string } };
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { code: 'semantic_error', details: { field: 'adapterConfig.url' } },
    ]);
    expect(answer.body.error).toContain('HTTP_ADAPTER_ALLOWED_HOSTS');
    expect(await everything(harness)).toEqual(before);
  };

  it('must use https, except for hosts that the operator has allowed for the company', async () => {
    const { founding, build } = harness;
    const agents = (companyId: string) => `/api/companies/${companyId}/agents`;
    const plain = { url: 'http://agents.example.com/run' };
    for (const [companyId, config] of [
      [acme, plain],
      [other, plain],
      [other, { url }],
    ] as const) {
      await refuses(founding.post(agents(companyId)), http(config));
      await refuses(founding.post(`/api/companies/${companyId}/agent-hires`), http(config));
    }
    await founding
      .post(agents(other))
      .send(http({ url: 'https://agents.example.com/run' }))
      .expect(201);
    const agent = await build.agent({ companyId: acme, ...http({ url }, 'Near') });
    const at = `/api/agents/${agent.id}`;
    await refuses(founding.patch(at), { adapterConfig: plain });
    await founding
      .patch(at)
      .send({ adapterConfig: { url, timeoutSec: 5 } })
      .expect(200);
  });

  it('must also be allowed in a resubmitted hire and in a rollback', async () => {
    const { founding, build, db } = harness;
    const hires = `/api/companies/${other}/agent-hires`;
    const secure = { url: 'https://agents.example.com/run' };
    const { body: hired } = await founding.post(hires).send(http(secure, 'Hired')).expect(201);
    const approval = `/api/approvals/${hired.approval.id}`;
    await founding.post(`${approval}/request-revision`).send({}).expect(200);
    await refuses(founding.post(`${approval}/resubmit`), {
      payload: { adapterConfig: { url: 'http://agents.example.com/run' } },
    });
    const agent = await build.agent({ companyId: other, ...http(secure, 'Rolled') });
    const revision = await db.agentConfigRevision.findFirstOrThrow({
      where: { agentId: agent.id },
    });
    const after = { ...(revision.after as object), adapterConfig: { url } };
    await db.agentConfigRevision.update({ where: { id: revision.id }, data: { after } });
    const back = `/api/agents/${agent.id}/config-revisions/${revision.id}/rollback`;
    await refuses(founding.post(back), {});
  });

  it('cause no connection if they are stored but not allowed for the company', async () => {
    const { founding, build, db } = harness;
    const runOf = async (agentId: string) => {
      const { id } = await build.queuedRun(agentId);
      await harness.drain();
      const { body } = await founding.get(`/api/heartbeat-runs/${id}`).expect(200);
      return body as HeartbeatRunView;
    };
    const config = { url: 'https://agents.example.com/run' };
    const near = await build.agent({ companyId: acme, ...http({ url }, 'Open') });
    const far = await build.agent({ companyId: other, ...http(config, 'Closed') });
    expect(await runOf(near.id)).toMatchObject({ status: 'succeeded' });
    expect(called).toHaveLength(1);
    for (const stored of [url, 'http://agents.example.com/run', url.replace('http:', 'https:')]) {
      const data = { adapterConfig: { url: stored } };
      await db.agent.update({ where: { id: far.id }, data });
      expect(await runOf(far.id)).toMatchObject({
        status: 'failed',
        errorCode: 'address_refused',
        attempt: 1,
      });
    }
    expect(called).toHaveLength(1);
    await founding.patch(`/api/agents/${far.id}`).send({ title: 'Far' }).expect(200);
  });
});
