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

  it.each([
    ['a letter that no id has', (id: string) => `g${id.slice(1)}`],
    ['capitals', (id: string) => `A${id.slice(1)}`.toUpperCase()],
    ['a stroke too many', (id: string) => `-${id.slice(1)}`],
    ['a stroke elsewhere', (id: string) => `${id.slice(1, 8)}-${id.slice(0, 1)}${id.slice(9)}`],
    ['a letter too many', (id: string) => `${id}0`],
    ['a line behind it', (id: string) => `${id}\n`],
    ['a letter too few', (id: string) => id.slice(1)],
    ['nothing', () => ''],
  ])('takes for an id only what is one: %s', async (_, changed) => {
    const { build, api, context } = harness;
    const issue = await build.issue();
    await context.db.pool.query(
      `INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id)
       VALUES (gen_random_uuid(), $1, 'system', 'issue.updated', 'issue', $2)`,
      [issue.companyId, changed(issue.id)],
    );
    const path = `/api/companies/${issue.companyId}/activity?limit=1`;
    const { body } = await api.get(path).expect(200);
    expect(body[0]).toMatchObject({ entityId: changed(issue.id), entity: null });
  });
});
