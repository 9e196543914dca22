import type { AgentDetailView, ConfigRevisionView, SecretView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('DELETE /api/secrets/{secretId}', () => {
  const harness = useHarness();
  const plain = { adapterType: 'process', adapterConfig: { command: 'true' } };
  const naming = ({ id: secretId }: SecretView) => ({
    command: 'true',
    env: { PLAIN: 'x', TOKEN: { type: 'secret_ref', secretId: secretId.toUpperCase() } },
  });
  const remove = ({ id }: SecretView) => harness.api.delete(`/api/secrets/${id}`);
  const read = async ({ id }: SecretView) =>
    (await harness.api.get(`/api/secrets/${id}`).expect(200)).body;
  const configure = ({ id }: AgentDetailView, adapterConfig: object) =>
    harness.api.patch(`/api/agents/${id}`).send({ adapterConfig });
  const agentAnd = async () => {
    const agent = await harness.build.agent(plain);
    const secret = await harness.build.secret({ companyId: agent.companyId });
    return { agent, secret };
  };

  it('deletes all versions of the secret and frees its name', async () => {
    const { api, build, db } = harness;
    const secret = await build.secret({ name: 'TOKEN' });
    await api.patch(`/api/secrets/${secret.id}`).send({ value: 'second' }).expect(200);
    expect(await read(secret)).toMatchObject({ name: 'TOKEN', usedBy: [], usedByCount: 0 });
    await remove(secret).expect(204);
    await remove(secret).expect(404);
    await api.get(`/api/secrets/${secret.id}`).expect(404);
    await api.patch(`/api/secrets/${secret.id}`).send({ value: 'third' }).expect(404);
    expect(await db.secretVersion.count({ where: { secretId: secret.id } })).toBe(0);
    const path = `/api/companies/${secret.companyId}`;
    const { body } = await api.get(`${path}/activity?action=secret.deleted`).expect(200);
    expect(body).toMatchObject([{ entityId: secret.id, details: { name: 'TOKEN' } }]);
    await api.post(`${path}/secrets`).send({ name: 'TOKEN', value: 'new' }).expect(201);
  });

  it('returns 409 while the secret is in use, and the error names its users', async () => {
    const { api, build } = harness;
    const { agent, secret } = await agentAnd();
    await configure(agent, naming(secret)).expect(200);
    const { body: project } = await api
      .post(`/api/companies/${agent.companyId}/projects`)
      .send({ name: 'Ship' })
      .expect(201);
    const { body: workspace } = await api
      .post(`/api/projects/${project.id}/workspaces`)
      .send({
        name: 'Repository',
        repoUrl: 'https://example.com/repo',
        repoCredential: { type: 'secret_ref', secretId: secret.id },
      })
      .expect(201);
    const usedBy = [
      {
        kind: 'agent',
        id: agent.id,
        name: agent.name,
        agentId: agent.id,
        projectId: null,
        fields: ['adapterConfig.env.TOKEN'],
      },
      {
        kind: 'workspace',
        id: workspace.id,
        name: 'Repository',
        agentId: null,
        projectId: project.id,
        fields: ['repoCredential'],
      },
    ];
    expect(await read(secret)).toEqual({ ...secret, usedBy, usedByCount: 2 });
    const before = await everything(harness);
    const { body } = await remove(secret).expect(409);
    expect(body).toMatchObject({
      code: 'conflict',
      error: `the secret is in use: agent ${agent.name} (adapterConfig.env.TOKEN); workspace Repository (repoCredential)`,
      details: { usedBy, usedByCount: 2, retry: false },
    });
    expect(await everything(harness)).toEqual(before);
    await configure(agent, { command: 'true' }).expect(200);
    await api
      .delete(`/api/projects/${project.id}/workspaces/${workspace.id}`)
      .expect((answer) => expect(answer.status).toBeLessThan(300));
    await remove(secret).expect(204);
    const other = await build.secret({ companyId: agent.companyId });
    expect((await read(other)).usedBy).toEqual([]);
  });

  it('ignores references from terminated agents', async () => {
    const { agent, secret } = await agentAnd();
    await configure(agent, naming(secret)).expect(200);
    await harness.api.post(`/api/agents/${agent.id}/terminate`).expect(200);
    await remove(secret).expect(204);
  });

  it('returns 409 until a live run with the secret has ended', async () => {
    const { agent, secret } = await agentAnd();
    await configure(agent, naming(secret)).expect(200);
    const run = await harness.build.liveRun(agent);
    await configure(agent, { command: 'true' }).expect(200);
    const { body } = await remove(secret).expect(409);
    expect(body.error).toBe(`the secret is in use: a live run of ${agent.name}`);
    expect(body.details.usedBy).toMatchObject([{ kind: 'run', id: run.id, agentId: agent.id }]);
    await harness.build.endLiveRun(run.id);
    await remove(secret).expect(204);
  });

  it('makes a later rollback to a configuration with the secret fail with 422 and the field name', async () => {
    const { api } = harness;
    const { agent, secret } = await agentAnd();
    await configure(agent, naming(secret)).expect(200);
    await configure(agent, { command: 'true' }).expect(200);
    const path = `/api/agents/${agent.id}/config-revisions`;
    const revisions = (await api.get(path).expect(200)).body as ConfigRevisionView[];
    await remove(secret).expect(204);
    const before = await everything(harness);
    const { body } = await api.post(`${path}/${revisions[1]?.id}/rollback`).expect(422);
    expect(body).toMatchObject({
      code: 'unknown_reference',
      error: 'adapterConfig.env.TOKEN must name an existing secret of the company',
      details: { field: 'adapterConfig.env.TOKEN' },
    });
    expect(await everything(harness)).toEqual(before);
  });

  it('either succeeds, or fails with 409 if a concurrent PATCH adds the secret to an agent first', async () => {
    for (let round = 0; round < 12; round++) {
      const { agent, secret } = await agentAnd();
      const [named, removed] = await Promise.all([
        configure(agent, naming(secret)),
        remove(secret),
      ]);
      const outcome = `${named.status} ${removed.status}`;
      expect(['200 409', '422 204']).toContain(outcome);
      const { adapterConfig } = (await harness.api.get(`/api/agents/${agent.id}`).expect(200)).body;
      const isThere = (await harness.api.get(`/api/secrets/${secret.id}`)).status === 200;
      expect(Boolean(adapterConfig.env)).toBe(isThere);
    }
  });

  it('either succeeds, or fails with 409 if a concurrent POST creates a workspace with the secret first', async () => {
    const { api, build } = harness;
    const project = await build.project();
    for (let round = 0; round < 12; round++) {
      const secret = await build.secret({ companyId: project.companyId });
      const body = {
        repoUrl: 'https://example.com/repo',
        repoCredential: { type: 'secret_ref', secretId: secret.id },
      };
      const [named, removed] = await Promise.all([
        api.post(`/api/projects/${project.id}/workspaces`).send(body),
        remove(secret),
      ]);
      expect(['201 409', '422 204']).toContain(`${named.status} ${removed.status}`);
    }
  });

  it('rejects agents with 403 board_only', async () => {
    const { agent, secret } = await agentAnd();
    const authorization = await harness.build.apiKey(agent.id);
    const { body } = await remove(secret).set('Authorization', authorization).expect(403);
    expect(body.code).toBe('board_only');
  });
});
