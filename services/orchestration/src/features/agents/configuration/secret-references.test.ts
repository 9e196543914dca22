import { newId } from '@switchyard/db';
import type { ConfigRevisionView, SecretView } from '@switchyard/types';
import { everything } from '../../../../test/everything';
import { useHarness } from '../../../../test/harness';

describe('references to secrets', () => {
  const harness = useHarness();

  const configOf = (reference: object) => ({
    command: 'true',
    env: { PLAIN: 'literal', TOKEN: { type: 'secret_ref', ...reference } },
  });
  const build = async () => {
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: 'true' },
    });
    const secret = await harness.build.secret({ companyId: agent.companyId });
    return { agent, secret };
  };
  const create = (companyId: string, adapterConfig: object) =>
    harness.api
      .post(`/api/companies/${companyId}/agents`)
      .send({ name: 'Referrer', adapterType: 'process', adapterConfig });
  const patch = (agentId: string, adapterConfig: object) =>
    harness.api.patch(`/api/agents/${agentId}`).send({ adapterConfig });

  const references = ({ id: secretId }: SecretView) => [
    { secretId },
    { secretId, version: 'latest' },
    { secretId, version: 1 },
    { secretId: secretId.toUpperCase() },
  ];

  it('can be written on create and update, and appear unchanged in responses', async () => {
    const { agent, secret } = await build();
    for (const reference of references(secret)) {
      const { body } = await patch(agent.id, configOf(reference)).expect(200);
      expect(body.adapterConfig.env).toEqual({
        PLAIN: '***',
        TOKEN: { type: 'secret_ref', ...reference },
      });
    }
    await create(agent.companyId, configOf({ secretId: secret.id })).expect(201);
  });

  const wrong = async () => {
    const { agent, secret } = await build();
    const foreign = await harness.build.secret();
    const field = { field: 'adapterConfig.env.TOKEN' };
    const unknown = { status: 422, body: { code: 'unknown_reference', details: field } };
    const cases = [
      { reference: { secretId: newId() }, refusal: unknown },
      { reference: { secretId: secret.id, version: 2 }, refusal: unknown },
      { reference: { secretId: secret.id, version: 9_007_199_254_740_991 }, refusal: unknown },
      {
        reference: { secretId: foreign.id },
        refusal: { status: 403, body: { code: 'cross_company', details: field } },
      },
    ];
    return { agent, cases };
  };

  it('must refer to an existing version of an existing secret of the company', async () => {
    const { agent, cases } = await wrong();
    const before = await everything(harness);
    for (const { reference, refusal } of cases) {
      expect(await create(agent.companyId, configOf(reference))).toMatchObject(refusal);
      expect(await patch(agent.id, configOf(reference))).toMatchObject(refusal);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('must match the schema', async () => {
    const { agent, secret } = await build();
    const { id: secretId } = secret;
    const before = await everything(harness);
    for (const reference of [
      {},
      { secretId: 'x' },
      { secretId, version: 0 },
      { secretId, version: 1.5 },
      { secretId, version: 'newest' },
      { secretId, value: 'x' },
    ]) {
      const { body } = await patch(agent.id, configOf(reference)).expect(400);
      expect(body.details[0].path.slice(0, 3)).toEqual(['adapterConfig', 'env', 'TOKEN']);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('can be restored by a rollback, which validates them again', async () => {
    const { api, db } = harness;
    const { agent, cases } = await wrong();
    const secret = await harness.build.secret({ companyId: agent.companyId });
    const pinned = configOf({ secretId: secret.id, version: 1 });
    await patch(agent.id, pinned).expect(200);
    await api.patch(`/api/secrets/${secret.id}`).send({ value: 'second' }).expect(200);
    await patch(agent.id, { command: 'true' }).expect(200);
    const path = `/api/agents/${agent.id}/config-revisions`;
    const revisions = (await api.get(path).expect(200)).body as ConfigRevisionView[];
    const rollback = () => api.post(`${path}/${revisions[1]?.id}/rollback`);
    const { body } = await rollback().expect(200);
    expect(body.adapterConfig.env.TOKEN).toEqual(pinned.env.TOKEN);

    await patch(agent.id, { command: 'true' }).expect(200);
    const row = await db.agentConfigRevision.findUniqueOrThrow({
      where: { id: revisions[1]?.id as string },
    });
    for (const { reference, refusal } of cases) {
      const after = { ...(row.after as object), adapterConfig: configOf(reference) };
      await db.agentConfigRevision.update({ where: { id: row.id }, data: { after } });
      const before = await everything(harness);
      expect(await rollback()).toMatchObject(refusal);
      expect(await everything(harness)).toEqual(before);
    }
  });
});
