import { newId } from '@switchyard/db';
import type { ListedActivityView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('activity entries', () => {
  const harness = useHarness();

  it('contain the current names of the actor and the entity', async () => {
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

  it('contain the names of less common entities, too', async () => {
    const { build, api } = harness;
    const { id: companyId } = await build.company();
    const at = `/api/companies/${companyId}`;
    const project = await build.project({ companyId, name: 'Locks that hold' });
    await build.goal({ companyId, title: 'Sleep well' });
    await build.secret({ companyId, name: 'key' });
    const agent = await build.agent({ companyId });
    await build.routine({ companyId, title: 'Each day', assigneeAgentId: agent.id });
    await build.issue({ companyId, labels: ['in a hurry'] });
    await api
      .post(`/api/projects/${project.id}/workspaces`)
      .send({ name: 'left bank', cwd: '/tmp' })
      .expect(201);
    const { body } = await api.get(`${at}/activity`).expect(200);
    const names = Object.fromEntries(
      body.map(({ entityType, entity }: ListedActivityView) => [entityType, entity?.name]),
    );
    expect(names).toMatchObject({
      project: 'Locks that hold',
      goal: 'Sleep well',
      secret: 'key',
      routine: 'Each day',
      label: 'in a hurry',
      workspace: 'left bank',
    });
  });

  it('contain null as the name of the system and of entities without a name', async () => {
    const { build, api } = harness;
    const { id: companyId } = await build.company();
    await insert(companyId, 'budget', 'x');
    await insert(companyId, 'issue', newId());
    await insert(companyId, 'label', newId());
    const { body } = await api.get(`/api/companies/${companyId}/activity?limit=3`).expect(200);
    for (const entry of body) expect(entry).toMatchObject({ actorName: null, entity: null });
  });

  it.each([
    ['an invalid letter', (id: string) => `g${id.slice(1)}`],
    ['an extra hyphen', (id: string) => `-${id.slice(1)}`],
    ['an extra letter', (id: string) => `${id}0`],
    ['a trailing line break', (id: string) => `${id}\n`],
    ['a missing letter', (id: string) => id.slice(1)],
    ['an empty text', () => ''],
  ])('cannot be stored if the id of a named entity is malformed: %s', async (_, changed) => {
    const { id: companyId } = await harness.build.company();
    await expect(insert(companyId, 'issue', changed(newId()))).rejects.toThrow('uuid');
    await expect(insert(companyId, 'label', changed(newId()))).rejects.toThrow('uuid');
  });

  const insert = (companyId: string, entityType: string, entityId: string) =>
    harness.context.db.pool.query(
      `INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id)
       VALUES (gen_random_uuid(), $1, 'system', 'issue.updated', $2, $3)`,
      [companyId, entityType, entityId],
    );
});
