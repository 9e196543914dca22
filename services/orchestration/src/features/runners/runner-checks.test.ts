import type { RunnerWork } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { runnerClient, WITH_RUNNERS } from '../../../test/runner-client';
import { startDiagnoses } from '../checks/run-diagnoses';

describe('a check of an agent on a runner', () => {
  const checks = { claimWithinMs: 3_000, answerWithinMs: 3_000 };
  const harness = useHarness({ config: { ...WITH_RUNNERS, checks } });
  const found = [
    { level: 'ok', code: 'checked_on', message: 'checked by a runner', details: { host: 'h' } },
    { level: 'error', code: 'command_not_found', message: 'no such command' },
  ];
  const check = (id: string) => harness.api.post(`/api/agents/${id}/check`).send({});

  it('sends to the runner the configuration, environment and secrets that a run would have', async () => {
    const secret = await harness.build.secret({ value: 'very secret' });
    const { companyId } = secret;
    const env = { KEY: { type: 'secret_ref', secretId: secret.id } };
    const adapterConfig = { command: 'x', env };
    const agent = await harness.build.agent({ companyId, adapterType: 'process', adapterConfig });
    const runner = runnerClient(harness);
    await runner.hello().expect(200);
    const asked = check(agent.id).then((answer) => answer);
    const work: RunnerWork = await runner.next({ free: 0, checks: 2, waitMs: 20_000 });
    expect(work.checks).toMatchObject([
      {
        companyId,
        agentId: agent.id,
        adapterType: 'process',
        config: { command: 'x' },
        environment: { KEY: 'very secret' },
        secrets: ['very secret'],
        workspace: null,
      },
    ]);
    const { checkId } = work.checks[0] as { checkId: string };
    const stranger = runnerClient(harness, {
      token: (await harness.api.post(`/api/companies/${companyId}/runners`).send({ name: 'Desk' }))
        .body.token,
    });
    await stranger.post(`checks/${checkId}`, { findings: [] }).expect(404);
    await runner.post(`checks/${checkId}`, { findings: found }).expect(204);
    expect((await asked).body).toEqual(found);
    await runner.post(`checks/${checkId}`, { findings: found }).expect(404);
  });

  it('reports an error for a workspace if the runner is too old to check workspaces', async () => {
    const project = await harness.build.project({ workspace: { name: 'w', cwd: '/tmp' } });
    const { companyId } = project;
    await harness.build.agent({
      companyId,
      adapterType: 'process',
      adapterConfig: { command: 'x' },
    });
    const runner = runnerClient(harness);
    await runner.hello().expect(200);
    const path = `/api/projects/${project.id}/workspaces/${project.workspaces[0]?.id}/check`;
    const asked = harness.api
      .post(path)
      .send({})
      .then((answer) => answer);
    const work: RunnerWork = await runner.next({ free: 0, checks: 2, waitMs: 20_000 });
    const { checkId } = work.checks[0] as { checkId: string };
    await runner.post(`checks/${checkId}`, { findings: found.slice(0, 1) }).expect(204);
    expect((await asked).body).toMatchObject([{ level: 'error', code: 'runner_outdated' }]);
  });

  it('reports that no runner is connected, and does not run on a worker instead', async () => {
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: 'x' },
    });
    const external = await harness.build.agent({ adapterType: 'external', adapterConfig: {} });
    const worker = startDiagnoses(harness.context);
    try {
      const { body } = await check(agent.id).expect(200);
      expect(body).toMatchObject([{ code: 'no_worker', level: 'error' }]);
      expect(body[0].message).toContain('no runner');
      expect(JSON.stringify((await check(external.id).expect(200)).body)).toContain('checked_on');
    } finally {
      await worker.close();
    }
  });

  it('reports an invalid configuration without involving the runner', async () => {
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: 'x' },
    });
    await harness.db.agent.update({ where: { id: agent.id }, data: { adapterConfig: {} } });
    const runner = runnerClient(harness);
    await runner.hello().expect(200);
    const asked = check(agent.id).then((answer) => answer);
    const looked = runner.next({ free: 0, checks: 2, waitMs: 2_000 });
    const codes = (await asked).body.map((one: { code: string }) => one.code);
    expect(codes).toEqual(['checked_on', 'config_invalid']);
    await looked;
  });

  it('adds a finding for each unavailable secret to the findings of the runner', async () => {
    const secret = await harness.build.secret({});
    const env = { KEY: { type: 'secret_ref', secretId: secret.id, version: 1 } };
    const adapterConfig = { command: 'x', env };
    const { companyId } = secret;
    const agent = await harness.build.agent({ companyId, adapterType: 'process', adapterConfig });
    await harness.db.secretVersion.deleteMany({ where: { secretId: secret.id } });
    const runner = runnerClient(harness);
    await runner.hello().expect(200);
    const asked = check(agent.id).then((answer) => answer);
    const work: RunnerWork = await runner.next({ free: 0, checks: 2, waitMs: 20_000 });
    const { checkId } = work.checks[0] as { checkId: string };
    await runner.post(`checks/${checkId}`, { findings: found }).expect(204);
    const codes = (await asked).body.map((one: { code: string }) => one.code);
    expect(codes).toEqual(['checked_on', 'secret_unavailable', 'command_not_found']);
  });

  it('GET /api/adapters reports programs found by the installation’s runners, not by a company’s', async () => {
    const runner = runnerClient(harness);
    const probe = (message: string) => [
      { adapterType: 'codex', found: true, message },
      { adapterType: 'nothing_of_ours', found: true, message: 'x' },
    ];
    await runner.hello({ probes: probe('codex is there') }).expect(200);
    const { id } = await harness.build.company();
    const made = await harness.api.post(`/api/companies/${id}/runners`).send({ name: 'Desk' });
    const other = runnerClient(harness, { token: made.body.token });
    await other.hello({ probes: probe('a lie') }).expect(200);
    const { body } = await harness.api.get('/api/adapters').expect(200);
    expect(JSON.stringify(body)).not.toContain('a lie');
    const codex = body.find((one: { type: string }) => one.type === 'model_b_local');
    expect(codex).toMatchObject({ available: true, reason: 'codex is there' });
  });
});
