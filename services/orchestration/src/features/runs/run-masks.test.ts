import { randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import { createCanaries, findCanaries, readTables } from '../../../test/canaries';

import { useHarness } from '../../../test/harness';

describe('text that a run writes', () => {
  const harness = useHarness();
  const canaries = createCanaries();

  const refer = ({ id }: { id: string }, version: number | 'latest' = 'latest') => ({
    type: 'secret_ref',
    secretId: id,
    version,
  });
  const atWork = async (values: Record<string, string>) => {
    const { id: companyId } = await harness.build.company();
    const secrets = await Promise.all(
      Object.values(values).map((value) => harness.build.secret({ companyId, value })),
    );
    const names = Object.keys(values);
    const env = Object.fromEntries(secrets.map((secret, at) => [names[at], refer(secret)]));
    const agent = await harness.build.agent({ companyId, adapterConfig: { env } });
    const run = await harness.build.liveRun(agent);
    const issue = await harness.build.issue({ companyId, status: 'todo' });
    return { companyId, secrets, agent, run, issue };
  };
  type Verb = 'post' | 'patch' | 'put';
  const send = (authorization: string, verb: Verb, path: string, body: object) =>
    harness.api[verb](path).set('Authorization', authorization).send(body);

  it('contains no secret of the run in any form', async () => {
    const value = `${canaries.make('a secret')}/+ü "x"`;
    canaries.add('a secret as it is', value);
    const { companyId, run, issue } = await atWork({ TOKEN: value });
    const forms = [
      value,
      Buffer.from(value).toString('base64'),
      Buffer.from(`user:${value}`).toString('base64url'),
      encodeURIComponent(value),
      JSON.stringify({ value }),
    ];
    const text = `My environment:\n${forms.join('\n')}\nkept`;
    const { authorization } = run;
    canaries.add('the run token', authorization.slice('Bearer '.length));
    const own = `/api/issues/${issue.id}`;
    const said = await send(authorization, 'post', `${own}/comments`, {
      body: `${text} ${authorization}`,
    }).expect(201);
    expect(said.body.body).toMatch(/^My environment:\n\*\*\*\n[\s\S]*kept Bearer \*\*\*$/);
    const document = { title: text.slice(0, 60), format: 'markdown', body: text };
    await send(authorization, 'put', `${own}/documents/notes`, document).expect(201);
    await send(authorization, 'patch', own, { description: text, comment: text }).expect(200);
    await send(authorization, 'post', `/api/companies/${companyId}/issues`, {
      title: value,
      description: text,
    }).expect(201, /"title":"\*\*\*"/);
    await send(authorization, 'post', `/api/companies/${companyId}/approvals`, {
      type: 'approve_ceo_strategy',
      payload: { plan: [{ text }] },
    }).expect(201);
    await send(authorization, 'post', `/api/agents/${run.agent.id}/heartbeat/invoke`, {
      reason: value,
      payload: { text },
    }).expect(202);
    expect(findCanaries(canaries.all, await readTables(harness))).toEqual([]);
  });

  it('has its secrets masked if an API key with the run id sends it, but not if a person sends it', async () => {
    const value = canaries.make('a value that a person may write');
    const { agent, run, issue } = await atWork({ TOKEN: value });
    const key = await harness.build.apiKey(agent.id);
    const path = `/api/issues/${issue.id}/comments`;
    const masked = await send(key, 'post', path, { body: `<${value}>` }).set(
      'X-Service-Run-Id',
      run.id,
    );
    expect([masked.status, masked.body.body]).toEqual([201, '<***>']);
    const said = await harness.api.post(path).send({ body: `<${value}>` });
    expect(said.body.body).toBe(`<${value}>`);
  });

  it('contains no line of the run’s private repository key, and no repository token', async () => {
    const lines = [canaries.make('a line of a key'), canaries.make('another line')];
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
    const token = canaries.make('a token');
    for (const [value, repoUrl, parts] of [
      [key, 'ssh://git@example.com/yard', lines],
      [`user:${token}\n`, 'https://example.com/yard', [token]],
    ] as const) {
      const { id: companyId } = await harness.build.company();
      const secret = await harness.build.secret({ companyId, value });
      const repoCredential = {
        type: 'secret_ref',
        secretId: secret.id,
        version: 'latest',
      } as const;
      const project = await harness.build.project({
        companyId,
        workspace: { repoUrl, repoCredential },
      });
      const issue = await harness.build.issue({ companyId, projectId: project.id });
      const run = await harness.build.liveRun({ companyId });
      await harness.db.heartbeatRun.update({ where: { id: run.id }, data: { issueId: issue.id } });
      for (const part of parts) {
        const path = `/api/issues/${issue.id}/comments`;
        const said = await send(run.authorization, 'post', path, { body: `<${part}>` });
        expect([said.status, said.body.body]).toEqual([201, '<***>']);
      }
    }
  });

  it('contains neither the secrets that the run started with nor their later values', async () => {
    const [old, other] = [canaries.make('an old value'), canaries.make('a replaced one')];
    const { companyId, agent, secrets, run, issue } = await atWork({ OLD: old, OTHER: other });
    await harness.db.secretVersion.updateMany({ data: { createdAt: new Date(0) } });
    const changed = { env: { MINE: refer(await harness.build.secret({ companyId })) } };
    await harness.api.patch(`/api/agents/${agent.id}`).send({ adapterConfig: changed }).expect(200);
    await harness.api.patch(`/api/secrets/${secrets[0]?.id}`).send({ value: 'a newer value' });
    const said = await send(run.authorization, 'post', `/api/issues/${issue.id}/comments`, {
      body: `<${old}> <${other}> <a newer value>`,
    });
    expect(said.body.body).toBe('<***> <***> <***>');
  });

  it('preserves fixed words of the API, even if a secret equals one of these words', async () => {
    const { run, issue } = await atWork({ WORD: 'blocked', SHORT: 'abc' });
    const { authorization, agent } = run;
    const path = `/api/issues/${issue.id}`;
    const claim = { agentId: agent.id, expectedStatuses: ['todo', 'blocked'] };
    await send(authorization, 'post', `${path}/checkout`, claim).expect(200);
    const { body } = await send(authorization, 'patch', path, {
      status: 'blocked',
      description: 'blocked by abc',
    }).expect(200);
    expect(body).toMatchObject({ status: 'blocked', description: '*** by abc' });
  });

  it('requires little memory for its masking, even if the secrets are large', async () => {
    const token = canaries.make('a token of usual length');
    const { companyId, agent, run, issue } = await atWork({ TOKEN: token });
    const long = () =>
      `${newId()} ${randomBytes(5_000).toString('latin1').replaceAll('\0', '')}`.slice(0, 5_000);
    const secrets = await Promise.all(
      Array.from({ length: 40 }, () => harness.build.secret({ companyId, value: long() })),
    );
    const named = Object.fromEntries(secrets.map((secret, at) => [`LONG_${at}`, refer(secret)]));
    await harness.api
      .patch(`/api/agents/${agent.id}`)
      .send({ adapterConfig: { env: named } })
      .expect(200);
    const before = process.memoryUsage().arrayBuffers;
    const said = await send(run.authorization, 'post', `/api/issues/${issue.id}/comments`, {
      body: `<${token}>`,
    });
    expect([said.status, said.body.body]).toEqual([201, '<***>']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  });

  it('requires only one read of the secrets for several concurrent writes', async () => {
    const { run, issue } = await atWork({ TOKEN: canaries.make('one') });
    const query = jest.spyOn(harness.context.db.pool, 'query');
    const path = `/api/issues/${issue.id}/comments`;
    await Promise.all(
      Array.from({ length: 8 }, () => send(run.authorization, 'post', path, { body: 'x' })),
    );
    const asked = query.mock.calls.filter(
      ([first]) => (first as { name?: string }).name === 'read-values-of-run',
    );
    query.mockRestore();
    expect(asked).toHaveLength(1);
  });
});
