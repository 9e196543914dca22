import { newId } from '@switchyard/db';
import type { ActivityView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';

describe('GET /api/companies/{companyId}/activity', () => {
  const harness = useHarness();

  async function setUp() {
    const { api, build } = harness;
    const company = await build.company();
    const run = await build.liveRun({ companyId: company.id });
    const one = await build.issue({ companyId: company.id });
    const two = await build.issue({ companyId: company.id });
    await api
      .patch(`/api/issues/${one.id}`)
      .set('Authorization', run.authorization)
      .send({ priority: 'high' })
      .expect(200);
    await api.patch(`/api/issues/${two.id}`).send({ priority: 'low' }).expect(200);
    const path = `/api/companies/${company.id}/activity`;
    const all = (await api.get(path).expect(200)).body as ActivityView[];
    return { company, run, one, two, path, all };
  }

  it('returns every field of a record: actor, action, entity and run', async () => {
    const { company, run, one, all } = await setUp();
    const byAgent = all.find((record) => record.actorType === 'agent');
    expect(byAgent).toEqual({
      id: expect.any(String),
      companyId: company.id,
      actorType: 'agent',
      actorId: run.agent.id,
      actorName: run.agent.name,
      runId: run.id,
      action: 'issue.updated',
      entityType: 'issue',
      entityId: one.id,
      entity: { name: one.title, identifier: one.identifier },
      details: { changed: ['priority'] },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const byBoard = all.find((record) => record.action === 'company.created');
    expect(byBoard).toMatchObject({ actorType: 'user', actorId: 'local-board', runId: null });
  });

  it('lists the newest activity first', async () => {
    const { all } = await setUp();
    expect(all.map((record) => record.action)).toEqual([
      'issue.updated',
      'issue.updated',
      'issue.created',
      'issue.created',
      'agent.created',
      'company.created',
    ]);
  });

  it('filters by each field, and by all fields together', async () => {
    const { run, one, two, path, all } = await setUp();
    const filters: Partial<ActivityView>[] = [
      { entityType: 'issue' },
      { entityType: 'agent' },
      { entityId: one.id },
      { actorId: run.agent.id },
      { actorId: 'local-board' },
      { action: 'issue.updated' },
      { entityType: 'issue', entityId: two.id, actorId: 'local-board', action: 'issue.updated' },
    ];
    for (const filter of filters) {
      const query = new URLSearchParams(filter as Record<string, string>);
      const { body } = await harness.api.get(`${path}?${query}`).expect(200);
      const expected = all.filter((record) =>
        Object.entries(filter).every(([key, value]) => record[key as keyof ActivityView] === value),
      );
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(all.length);
      expect(body).toEqual(expected);
    }
    const nothing = await harness.api.get(`${path}?action=issue.deleted`).expect(200);
    expect(nothing.body).toEqual([]);
  });

  it('returns pages without gaps or repetitions while records are added, even with filters', async () => {
    const { company, path, all } = await setUp();
    const add = () => harness.build.issue({ companyId: company.id });
    expect(await walkPages<ActivityView>(harness, path, 2, add)).toEqual(all);
    const filtered = `${path}?entityType=issue&action=issue.updated`;
    const updates = all.filter((record) => record.action === 'issue.updated');
    expect(await walkPages<ActivityView>(harness, filtered, 1, add)).toEqual(updates);
  });

  it('returns the same rows to an agent of the company, and 403 to an agent of another company', async () => {
    const { run, path, all } = await setUp();
    const own = await harness.api.get(path).set('Authorization', run.authorization).expect(200);
    expect(own.body).toEqual(all);
    const foreign = await harness.build.liveRun();
    const refused = await harness.api.get(path).set('Authorization', foreign.authorization);
    expect([refused.status, refused.body.code]).toEqual([403, 'cross_company']);
  });

  it('returns 404 for an unknown company, and 400 with the name of the invalid parameter', async () => {
    const { api, build } = harness;
    await api.get(`/api/companies/${newId()}/activity`).expect(404);
    await api.get('/api/companies/nonsense/activity').expect(404);
    const { id } = await build.company();
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['cursor=nonsense', 'cursor'],
      ['entityType=', 'entityType'],
      ['entityId=%00', 'entityId'],
      [`actorId=${'x'.repeat(101)}`, 'actorId'],
      ['action=a&action=b', 'action'],
      ['order=asc', 'order'],
    ]) {
      const { body } = await api.get(`/api/companies/${id}/activity?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'validation_error', details: [{ path: [field] }] });
    }
  });
});
