import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('the revision of an issue', () => {
  const harness = useHarness();
  const update = (id: string, body: object) => harness.api.patch(`/api/issues/${id}`).send(body);

  it('increases only if a writable field changes', async () => {
    const { build, api } = harness;
    const issue = await build.issue();
    expect(issue).toMatchObject({ revision: 1 });
    const { body: named } = await update(issue.id, { title: 'Other' }).expect(200);
    expect(named.revision).toBe(2);
    const { body: same } = await update(issue.id, { title: 'Other', labels: ['a'] }).expect(200);
    expect(same.revision).toBe(2);
    await api.post(`/api/issues/${issue.id}/comments`).send({ body: 'x' }).expect(201);
    const { body: moved } = await update(issue.id, { status: 'todo', priority: 'high' }).expect(
      200,
    );
    expect(moved.revision).toBe(3);
    expect((await api.get(`/api/issues/${issue.id}`)).body.revision).toBe(3);
  });

  it('must be current in an update, or the API returns 409 with the current issue', async () => {
    const issue = await harness.build.issue({ title: 'Before' });
    await update(issue.id, { title: 'Theirs', revision: 1 }).expect(200);
    const before = await everything(harness);
    for (const more of [{}, { comment: 'and a comment' }, { status: 'todo' }]) {
      const { body } = await update(issue.id, { title: 'Mine', revision: 1, ...more }).expect(409);
      expect(body).toMatchObject({
        code: 'stale_revision',
        details: { revision: 1, currentRevision: 2, current: { id: issue.id, title: 'Theirs' } },
      });
    }
    expect(await everything(harness)).toEqual(before);
    await update(issue.id, { title: 'Mine', revision: 2 }).expect(200);
  });

  it('lets only one of two concurrent updates succeed', async () => {
    const issue = await harness.build.issue();
    const both = await Promise.all(
      ['One', 'Two'].map((title) => update(issue.id, { title, revision: 1 })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each([0, -1, 1.5, '1', null])('cannot be %j', async (revision) => {
    const issue = await harness.build.issue();
    const { body } = await update(issue.id, { title: 'x', revision }).expect(400);
    expect(body.details).toMatchObject([{ path: ['revision'] }]);
  });
});
