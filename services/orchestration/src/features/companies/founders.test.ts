import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { everything } from '../../../test/everything';

const found = { name: 'Acme' };

describe('POST /api/companies in authenticated mode', () => {
  const harness = useAuthenticatedHarness();

  it('allows only administrators of the installation, not owners of other companies', async () => {
    const company = await harness.build.company();
    const owner = await harness.operator(company.id, 'owner');
    const viewer = await harness.operator(company.id, 'viewer');
    const stranger = await harness.operator();
    const before = await everything(harness);
    for (const person of [owner, viewer, stranger]) {
      const refused = await harness.as(person).post('/api/companies').send(found).expect(403);
      expect(refused.body.code).toBe('administrators_only');
      expect(refused.body.error).toContain('COMPANY_FOUNDERS');
      const { body } = await harness.as(person).get('/api/auth/session').expect(200);
      expect(body.user.isAdministrator).toBe(false);
    }
    expect(await everything(harness)).toEqual(before);
    const administrator = harness.as(await harness.administrator());
    const { body: founded } = await administrator.post('/api/companies').send(found).expect(201);
    const { body } = await administrator.get('/api/auth/session').expect(200);
    expect(body).toMatchObject({
      user: { isAdministrator: true },
      memberships: [{ companyId: founded.id, role: 'owner' }],
    });
    await administrator.get(`/api/companies/${company.id}`).expect(403);
  });

  it('allows only administrators to change the weight of a company', async () => {
    const administrator = harness.as(await harness.administrator());
    const { body: own } = await administrator.post('/api/companies').send(found).expect(201);
    const heavy = await administrator.patch(`/api/companies/${own.id}`).send({ runWeight: 3 });
    expect(heavy.body.runWeight).toBe(3);
    const company = await harness.build.company();
    const owner = harness.as(await harness.operator(company.id, 'owner'));
    const refused = await owner.patch(`/api/companies/${company.id}`).send({ runWeight: 2 });
    expect([refused.status, refused.body.code]).toEqual([403, 'administrators_only']);
  });

  it('returns 403 to a person whose administrator right was removed', async () => {
    const administrator = await harness.administrator();
    const board = harness.as(administrator);
    await board.post('/api/companies').send(found).expect(201);
    await harness.db.person.update({
      where: { id: administrator.id },
      data: { isAdministrator: false },
    });
    await board.post('/api/companies').send(found).expect(403);
  });

  it('returns 403 to agents', async () => {
    const agent = await harness.build.agent();
    const run = await harness.build.liveRun(agent);
    for (const authorization of [run.authorization, await harness.build.apiKey(agent.id)]) {
      const request = harness.api.post('/api/companies').set('Authorization', authorization);
      expect((await request.send(found).expect(403)).body.code).toBe('board_only');
    }
  });
});

describe('POST /api/companies with COMPANY_FOUNDERS=everybody', () => {
  const harness = useAuthenticatedHarness({ config: { companyFounders: 'everybody' } });

  it('makes the creator the owner, and returns 403 to agents', async () => {
    const board = harness.as(await harness.operator());
    const { body: company } = await board.post('/api/companies').send(found).expect(201);
    await board.patch(`/api/companies/${company.id}`).send({ name: 'Own' }).expect(200);
    const key = await harness.build.apiKey((await harness.build.agent()).id);
    await harness.api.post('/api/companies').set('Authorization', key).send(found).expect(403);
  });
});
