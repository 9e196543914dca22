import type { ListedActivityView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('an entry of the activity', () => {
  const harness = useHarness();

  it('names who did it and what it is about, as that is called now', async () => {
    const { build, api } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const issue = await build.issue({ companyId, title: 'Old' });
    await api.patch(`/api/issues/${issue.id}`).send({ title: 'New' }).expect(200);
    await api
      .post(`/api/issues/${issue.id}/comments`)
      .set('Authorization', run.authorization)
      .send({ body: 'Hello' })
      .expect(201);
    const secret = await build.secret({ companyId });
    await api.delete(`/api/secrets/${secret.id}`).expect(204);
    const { body } = await api.get(`/api/companies/${companyId}/activity`).expect(200);
    const of = (action: string) =>
      body.find((one: ListedActivityView) => one.action === action) as ListedActivityView;
    const about = { name: 'New', identifier: issue.identifier };
    expect(of('issue.created')).toMatchObject({ actorName: 'Local board', entity: about });
    expect(of('issue.commented')).toMatchObject({ actorName: run.agent.name, entity: about });
    expect(of('secret.created').entity).toBeNull();
    expect(of('agent.created').entity).toEqual({ name: run.agent.name, identifier: null });
    expect(of('company.created').entity?.name).toEqual(expect.any(String));
  });

  it('of the system names nobody, and what has no name is null', async () => {
    const { build, api, context } = harness;
    const { id: companyId } = await build.company();
    await context.db.pool.query(
      `INSERT INTO activity (id, company_id, actor_type, actor_id, action, entity_type, entity_id)
       VALUES (gen_random_uuid(), $1, 'system', NULL, 'issue.updated', 'issue', 'no id'),
         (gen_random_uuid(), $1, 'user', 'nobody', 'budget.soft_alert', 'budget', 'x')`,
      [companyId],
    );
    const { body } = await api.get(`/api/companies/${companyId}/activity?limit=2`).expect(200);
    for (const entry of body) expect(entry).toMatchObject({ actorName: null, entity: null });
  });
});
