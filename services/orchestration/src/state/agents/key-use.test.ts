import type { ActivityView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';

describe('use of an API key', () => {
  const harness = useAuthenticatedHarness();
  const prepare = async () => {
    const agent = await harness.build.agent();
    const { body } = await harness.founding
      .post(`/api/agents/${agent.id}/keys`)
      .send({ name: 'ci' });
    const use = (address = '198.51.100.1') =>
      harness.api
        .get('/api/agents/me')
        .set('Authorization', `Bearer ${body.key}`)
        .set('X-Forwarded-For', address)
        .expect(200);
    const recorded = async (): Promise<ActivityView[]> => {
      const path = `/api/companies/${agent.companyId}/activity?action=agent_key.used`;
      return (await harness.founding.get(path).expect(200)).body;
    };
    return { agent, key: body as { id: string; prefix: string; key: string }, use, recorded };
  };

  it('records one activity per day, however many requests are concurrent', async () => {
    const { agent, key, use, recorded } = await prepare();
    await Promise.all(Array.from({ length: 12 }, () => use()));
    await use();
    const first = await recorded();
    expect(first).toEqual([
      expect.objectContaining({
        actorType: 'agent',
        actorId: agent.id,
        entityType: 'agent_key',
        entityId: key.id,
        details: { agentId: agent.id, name: 'ci', prefix: key.prefix, address: '198.51.100.1' },
      }),
    ]);
    expect(JSON.stringify(first)).not.toContain(key.key);
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await harness.db.agentKey.update({
      where: { id: key.id },
      data: { recordedSince: yesterday },
    });
    await Promise.all([use(), use()]);
    expect(await recorded()).toHaveLength(2);
  });

  it('records one activity per new address, up to 20 per key', async () => {
    const { key, use, recorded } = await prepare();
    for (let round = 0; round < 3; round++) {
      await use('198.51.100.1');
      await use('198.51.100.2');
    }
    const addresses = (await recorded()).map(({ details }) => details.address);
    expect(addresses).toEqual(['198.51.100.2', '198.51.100.1']);
    await Promise.all(Array.from({ length: 40 }, (_, at) => use(`203.0.113.${at}`)));
    expect(await recorded()).toHaveLength(20);
    const row = await harness.db.agentKey.findUniqueOrThrow({ where: { id: key.id } });
    expect(row.recordedAddresses).toHaveLength(20);
  });
});
