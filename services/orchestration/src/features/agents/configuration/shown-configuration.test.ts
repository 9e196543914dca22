import type { AgentDetailView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../../test/authenticated-harness';

describe('the agent configuration in responses', () => {
  const harness = useAuthenticatedHarness();
  const url = 'https://agents.example.com/run?key=secret&x=1';
  const http = { adapterType: 'http', adapterConfig: { url } };
  const args = ['--token', 'secret'];

  const setUp = async () => {
    const agent = await harness.build.agent({ ...http, name: 'Caller' });
    const { companyId } = agent;
    harness.context.config.processAdapterCommands = ['true'];
    const process = await harness.build.agent({ companyId, name: 'Worker' });
    const adapterConfig = { ...process.adapterConfig, args };
    await harness.db.agent.update({ where: { id: process.id }, data: { adapterConfig } });
    return { agent, process, companyId };
  };

  it('hides arguments and URL queries from viewers, read tokens and other agents', async () => {
    const { agent, process, companyId } = await setUp();
    const viewer = harness.as(await harness.operator(companyId, 'viewer'));
    const operator = await harness.operator(companyId);
    const scope = { name: 'x', scope: 'read' };
    const made = await harness.as(operator).post('/api/auth/tokens').send(scope).expect(201);
    const colleague = await harness.build.liveRun({ companyId });
    const by = (authorization: string) => (path: string) =>
      harness.api.get(path).set('Authorization', authorization).expect(200);
    for (const read of [
      (path: string) => viewer.get(path).expect(200),
      by(`Bearer ${made.body.token}`),
      by(colleague.authorization),
    ]) {
      const answers = [
        await read(`/api/agents/${agent.id}`),
        await read(`/api/agents/${process.id}`),
        await read(`/api/companies/${companyId}/agents`),
      ];
      for (const { text } of answers) expect(text).not.toContain('secret');
      expect(answers[0]?.body.adapterConfig.url).toBe('https://agents.example.com/run?***');
      expect(answers[1]?.body.adapterConfig.args).toEqual(['***', '***']);
    }
    const revisions = await viewer.get(`/api/agents/${agent.id}/config-revisions`).expect(200);
    expect(revisions.text).not.toContain('secret');
  });

  it('contains arguments and URL queries for the agent itself and for people who may edit it', async () => {
    const { agent, process, companyId } = await setUp();
    const operator = harness.as(await harness.operator(companyId));
    const { body } = await operator.get(`/api/agents/${agent.id}`).expect(200);
    expect((body as AgentDetailView).adapterConfig).toMatchObject({ url });
    const { authorization } = await harness.build.liveRun(process);
    const own = await harness.api.get('/api/agents/me').set('Authorization', authorization);
    expect(own.body.adapterConfig.args).toEqual(args);
  });

  it('cannot be sent back while its URL query is masked', async () => {
    const { agent } = await setUp();
    const send = (adapterConfig: object) =>
      harness.founding.patch(`/api/agents/${agent.id}`).send({ adapterConfig });
    const refused = await send({ url: 'https://agents.example.com/run?***' }).expect(400);
    expect(refused.body.details[0].path).toEqual(['adapterConfig', 'url']);
    await send({ url }).expect(200);
  });
});
