import type { LabelView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';
import { foldStatusChanges } from '../dashboard/fold-status-changes';

describe('labels', () => {
  const harness = useHarness();
  const list = async (companyId: string): Promise<LabelView[]> =>
    (await harness.api.get(`/api/companies/${companyId}/labels`).expect(200)).body;
  const labelsOf = async (issueId: string) =>
    (await harness.api.get(`/api/issues/${issueId}`).expect(200)).body.labels;
  const patch = (issueId: string, body: object) =>
    harness.api.patch(`/api/issues/${issueId}`).send(body);
  const lastEntry = async (entityId: string) =>
    harness.db.activity.findFirst({ where: { entityId }, orderBy: { sequence: 'desc' } });

  it('appear when an issue first uses them, spelled as in that issue', async () => {
    const issue = await harness.build.issue({ labels: ['  Bug ', 'area: API', 'bug', 'BUG'] });
    expect(issue.labels).toEqual(['area: API', 'Bug']);
    const { companyId } = issue;
    const other = await harness.build.issue({ companyId, labels: ['BUG', 'Äpfel'] });
    expect(other.labels).toEqual(['Bug', 'Äpfel']);
    const third = await harness.build.issue({ companyId, labels: ['äPFEL'] });
    expect(third.labels).toEqual(['Äpfel']);
    expect(await labelsOf(other.id)).toEqual(other.labels);
    const labels = await list(companyId);
    expect(labels.map(({ name, issueCount, color }) => [name, issueCount, color]).sort()).toEqual([
      ['Bug', 2, null],
      ['area: API', 1, null],
      ['Äpfel', 2, null],
    ]);
    const made = labels.find(({ name }) => name === 'Bug') as LabelView;
    expect(await lastEntry(made.id)).toMatchObject({
      action: 'label.created',
      details: { name: 'Bug' },
    });
  });

  it('can be replaced on an issue only as a whole, with one activity per replacement', async () => {
    const issue = await harness.build.issue({ labels: ['one', 'two'], dueDate: '2026-05-05' });
    const changed = async () => Object((await lastEntry(issue.id))?.details).changed;
    const { body } = await patch(issue.id, {
      title: 'New',
      labels: ['two', 'three'],
      dueDate: null,
    }).expect(200);
    expect([body.labels, body.dueDate]).toEqual([['three', 'two'], null]);
    expect(await changed()).toEqual(['title', 'dueDate', 'labels']);
    await patch(issue.id, { labels: [] }).expect(200);
    expect(await labelsOf(issue.id)).toEqual([]);
    expect(await changed()).toEqual(['labels']);
    await patch(issue.id, { labels: ['two'] }).expect(200);
    const before = await everything(harness);
    const same = await patch(issue.id, { labels: ['TWO'], dueDate: null }).expect(200);
    expect(same.body.labels).toEqual(['two']);
    expect(await everything(harness)).toEqual(before);
    const counts = (await list(issue.companyId)).map(({ name, issueCount }) => [name, issueCount]);
    expect(counts.sort()).toEqual([
      ['one', 0],
      ['three', 0],
      ['two', 1],
    ]);
  });

  it('have the same issue counts before and after workers add pending changes to the totals', async () => {
    const { companyId, id } = await harness.build.issue({ labels: ['a', 'b'] });
    await harness.build.issue({ companyId, labels: ['b'] });
    const before = await list(companyId);
    await foldStatusChanges(harness.context);
    expect(await list(companyId)).toEqual(before);
    await patch(id, { labels: ['b', 'c'] }).expect(200);
    const counts = Object.fromEntries(
      (await list(companyId)).map(({ name, issueCount }) => [name, issueCount]),
    );
    expect(counts).toEqual({ a: 0, b: 2, c: 1 });
  });

  it('can be renamed and recolored without an update of their issues', async () => {
    const issue = await harness.build.issue({ labels: ['Bug', 'Other'] });
    const [label] = (await list(issue.companyId)).filter(({ name }) => name === 'Bug');
    const change = (body: object) => harness.api.patch(`/api/labels/${label?.id}`).send(body);
    const renamed = await change({ name: ' Defect ', color: '#1f6FEB' }).expect(200);
    expect(renamed.body).toEqual({ ...label, name: 'Defect', color: '#1f6FEB' });
    expect(await lastEntry(label?.id ?? '')).toMatchObject({
      action: 'label.updated',
      details: { name: 'Defect', changed: ['name', 'color'], from: 'Bug' },
    });
    const { body } = await harness.api.get(`/api/issues/${issue.id}`).expect(200);
    expect([body.labels, body.updatedAt]).toEqual([['Defect', 'Other'], issue.updatedAt]);
    const taken = await change({ name: 'OTHER' }).expect(409);
    expect(taken.body).toMatchObject({ code: 'name_taken', details: { field: 'name' } });
    await change({ name: 'DEFECT' }).expect(200);
    const before = await everything(harness);
    await change({ name: 'DEFECT', color: '#1f6FEB' }).expect(200);
    await change({}).expect(200);
    expect(await everything(harness)).toEqual(before);
    for (const bad of [
      { color: 'red' },
      { color: '#12' },
      { name: '' },
      { name: 'x'.repeat(101) },
      { key: 'x' },
    ]) {
      const refused = await change(bad).expect(400);
      expect(refused.body.details[0].path).toEqual(Object.keys(bad));
    }
  });

  it('disappear from every issue when they are deleted', async () => {
    const issue = await harness.build.issue({ labels: ['gone', 'stays'] });
    const { companyId } = issue;
    const label = (await list(companyId)).find(({ name }) => name === 'gone') as LabelView;
    await harness.api.delete(`/api/labels/${label.id}`).expect(204);
    expect(await labelsOf(issue.id)).toEqual(['stays']);
    expect((await list(companyId)).map(({ name }) => name)).toEqual(['stays']);
    expect(await lastEntry(label.id)).toMatchObject({ action: 'label.deleted' });
    await harness.api.delete(`/api/labels/${label.id}`).expect(404);
    const again = await patch(issue.id, { labels: ['Gone'] }).expect(200);
    expect(again.body.labels).toEqual(['Gone']);
  });

  it('can be used by agents, but renamed, recolored and deleted only by the board', async () => {
    const { agent, authorization } = await harness.build.liveRun();
    const { companyId } = agent;
    const issue = await harness.build.issue({ companyId });
    const as = (verb: 'get' | 'patch' | 'delete', path: string) =>
      harness.api[verb](path).set('Authorization', authorization);
    await as('patch', `/api/issues/${issue.id}`)
      .send({ labels: ['mine'] })
      .expect(200);
    const { body } = await as('get', `/api/companies/${companyId}/labels`).expect(200);
    expect(body).toMatchObject([{ name: 'mine', issueCount: 1 }]);
    for (const verb of ['patch', 'delete'] as const) {
      const refused = await as(verb, `/api/labels/${body[0].id}`).send(
        verb === 'patch' ? { name: 'x' } : undefined,
      );
      expect([refused.status, refused.body.code]).toEqual([403, 'board_only']);
    }
    const foreign = await harness.build.issue({ labels: ['mine'] });
    expect((await list(foreign.companyId))[0]?.id).not.toBe(body[0].id);
  });

  it('exist only once after concurrent requests use the same labels in any order', async () => {
    const { id: companyId } = await harness.build.company();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const made = await Promise.all(
      names.flatMap((_, at) => [
        harness.build.issue({ companyId, labels: [...names.slice(at), ...names.slice(0, at)] }),
        harness.build.issue({ companyId, labels: [...names].reverse() }),
      ]),
    );
    for (const issue of made) expect(issue.labels).toEqual(names);
    const labels = await list(companyId);
    expect(labels.map(({ name, issueCount }) => [name, issueCount]).sort()).toEqual(
      names.map((name) => [name, made.length]),
    );
  });

  it('can be deleted while they are concurrently added to issues', async () => {
    const { companyId } = await harness.build.issue({ labels: ['x'] });
    for (let round = 0; round < 5; round++) {
      const [label] = await list(companyId);
      const answers = await Promise.all([
        harness.api.delete(`/api/labels/${label?.id}`),
        harness.api.post(`/api/companies/${companyId}/issues`).send({ title: 't', labels: ['x'] }),
        harness.api.post(`/api/companies/${companyId}/issues`).send({ title: 't', labels: ['X'] }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([204, 201, 201]);
      await harness.build.issue({ companyId, labels: ['x'] });
    }
  });

  it('appear in their list newest first, in pages', async () => {
    const { companyId } = await harness.build.issue({ labels: ['a', 'b', 'c', 'd', 'e'] });
    const all = await list(companyId);
    const path = `/api/companies/${companyId}/labels`;
    expect(await walkPages<LabelView>(harness, path, 2)).toEqual(all);
    expect(all).toHaveLength(5);
  });

  it.each([
    ['labels', { labels: 'bug' }],
    ['labels', { labels: null }],
    ['labels', { labels: [''] }],
    ['labels', { labels: ['  '] }],
    ['labels', { labels: ['x'.repeat(101)] }],
    ['labels', { labels: ['a\0'] }],
    ['labels', { labels: Array.from({ length: 51 }, (_, at) => `l${at}`) }],
    ['dueDate', { dueDate: 'tomorrow' }],
    ['dueDate', { dueDate: '2026-02-30' }],
    ['dueDate', { dueDate: '2026-02-03T00:00:00Z' }],
    ['dueDate', { dueDate: '0000-01-01' }],
    ['dueDate', { dueDate: 20260203 }],
  ])('do not change if a request with invalid %s fails with 400: %j', async (field, body) => {
    const issue = await harness.build.issue();
    const before = await everything(harness);
    const made = harness.api.post(`/api/companies/${issue.companyId}/issues`);
    for (const sent of [patch(issue.id, body), made.send({ title: 'x', ...body })]) {
      const { body: answer } = await sent.expect(400);
      expect(answer.details[0].path[0]).toBe(field);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('do not appear if the request that uses them fails', async () => {
    const { id: companyId } = await harness.build.company();
    const before = await everything(harness);
    const made = harness.api.post(`/api/companies/${companyId}/issues`);
    await made.send({ title: 'x', labels: ['new'], goalId: companyId }).expect(422);
    expect(await everything(harness)).toEqual(before);
  });
});
