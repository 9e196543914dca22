import { useHarness } from '../../test/harness';

describe('the API key of a paused agent', () => {
  const harness = useHarness();

  const keyOf = async () => {
    const agent = await harness.build.agent();
    const other = await harness.build.agent({ companyId: agent.companyId, name: 'Grace Hopper' });
    const issue = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
    return { agent, other, issue, key: await harness.build.apiKey(agent.id) };
  };
  const pause = (id: string) => harness.api.post(`/api/agents/${id}/pause`).expect(200);
  const comment = (issueId: string, key: string, body = 'Look, @Grace Hopper') =>
    harness.api.post(`/api/issues/${issueId}/comments`).set('Authorization', key).send({ body });

  it('allows reads, but refuses writes and wakes until the agent is resumed', async () => {
    const { agent, other, issue, key } = await keyOf();
    await pause(agent.id);
    const path = `/api/issues/${issue.id}`;
    const files = `/api/companies/${agent.companyId}/issues/${issue.id}/attachments`;
    const checkout = { agentId: agent.id, expectedStatuses: ['todo'] };
    const writes = [
      comment(issue.id, key),
      harness.api.patch(path).set('Authorization', key).send({ title: 'Other' }),
      harness.api.post(`${path}/checkout`).set('Authorization', key).send(checkout),
      harness.api
        .put(`${path}/documents/plan`)
        .set('Authorization', key)
        .send({ title: 'Plan', format: 'markdown', body: 'x' }),
      harness.api.post(files).set('Authorization', key).attach('file', Buffer.from('x'), 'x.txt'),
      harness.api.post(`/api/agents/${agent.id}/heartbeat/invoke`).set('Authorization', key),
    ];
    for (const refused of await Promise.all(writes)) {
      expect([refused.status, refused.body.code]).toEqual([409, 'agent_paused']);
      expect(refused.body.details).toEqual({ pauseReason: 'manual', retry: false });
    }
    expect(await harness.db.issueComment.count({ where: { issueId: issue.id } })).toBe(0);
    expect(await harness.db.asset.count({ where: { companyId: agent.companyId } })).toBe(0);
    expect(await harness.db.agentWakeup.count({ where: { agentId: other.id } })).toBe(0);
    await harness.api.get(path).set('Authorization', key).expect(200, /todo/);
    await harness.api.get('/api/agents/me').set('Authorization', key).expect(200);

    await harness.api.post(`/api/agents/${agent.id}/resume`).expect(200);
    await comment(issue.id, key).expect(201);
    expect(await harness.db.agentWakeup.count({ where: { agentId: other.id } })).toBe(1);
  });

  it('allows cost reports, even after a cost report has paused the agent', async () => {
    const { agent, issue, key } = await keyOf();
    await harness.api
      .patch(`/api/agents/${agent.id}`)
      .send({ budgetMonthlyCents: 100 })
      .expect(200);
    const usage = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 150 };
    const report = () =>
      harness.api
        .post(`/api/companies/${agent.companyId}/cost-events`)
        .set('Authorization', key)
        .send({ agentId: agent.id, ...usage });
    await report().expect(201);
    const refused = await comment(issue.id, key).expect(409);
    expect(refused.body.details.pauseReason).toBe('budget');
    await report().expect(201);
  });

  it('causes 409 while a run is being stopped, but the run’s token works until the run ends', async () => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId });
    const key = await harness.build.apiKey(run.agent.id);
    await pause(run.agent.id);
    const stopped = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id: run.id } });
    expect(stopped).toMatchObject({ status: 'running', cancelReason: 'agent_paused' });
    await comment(issue.id, key, 'Mine').set('X-Service-Run-Id', run.id).expect(409);
    await comment(issue.id, run.authorization, 'So far').expect(201);
    await harness.build.endLiveRun(run.id);
    await comment(issue.id, run.authorization).expect(401);
  });

  it('allows no write after the response to the pause, even while earlier writes are in flight', async () => {
    const { agent, issue, key } = await keyOf();
    const early = Array.from({ length: 20 }, () => comment(issue.id, key).then((r) => r.status));
    await pause(agent.id);
    const late = await Promise.all(
      Array.from({ length: 20 }, () => comment(issue.id, key).then((r) => r.status)),
    );
    expect(new Set(late)).toEqual(new Set([409]));
    const written = (await Promise.all(early)).filter((status) => status === 201).length;
    expect(await harness.db.issueComment.count({ where: { issueId: issue.id } })).toBe(written);
  });

  it('causes 401 after the agent is terminated', async () => {
    const { agent, issue, key } = await keyOf();
    await harness.api.post(`/api/agents/${agent.id}/terminate`).expect(200);
    await comment(issue.id, key).expect(401);
  });
});
