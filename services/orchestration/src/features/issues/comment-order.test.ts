import { newId } from '@switchyard/db';
import type { CommentView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';

describe('GET /api/issues/:issueId/comments', () => {
  const harness = useHarness();
  let path: string;
  let newest: string[];

  beforeAll(async () => {
    const issue = await harness.build.issue();
    path = `/api/issues/${issue.id}/comments`;
    const made = Array.from({ length: 30 }, (_, at) => ({
      id: newId(),
      companyId: issue.companyId,
      issueId: issue.id,
      body: `comment ${at}`,
      authorUserId: 'local-board',
      createdAt: new Date(Date.UTC(2026, 0, 1 + (at % 4))),
    }));
    await harness.db.issueComment.createMany({ data: made });
    const key = ({ createdAt, id }: (typeof made)[number]) => `${createdAt.toISOString()} ${id}`;
    newest = [...made].sort((a, b) => (key(a) < key(b) ? 1 : -1)).map(({ id }) => id);
  });

  const walk = async (query: string) =>
    (await walkPages<CommentView>(harness, `${path}?${query}`, 4)).map(({ id }) => id);

  it('returns pages that start with the newest or with the oldest comment', async () => {
    expect(await walk('')).toEqual(newest);
    expect(await walk('order=desc')).toEqual(newest);
    expect(await walk('order=asc')).toEqual([...newest].reverse());
  });

  it('returns pages of the comments that follow `after`', async () => {
    for (const at of [0, 1, 13, 29]) {
      const after = newest[at];
      expect(await walk(`after=${after}`)).toEqual(newest.slice(0, at));
      expect(await walk(`after=${after}&order=asc`)).toEqual(newest.slice(0, at).reverse());
    }
  });

  it('accepts a cursor only from the same query', async () => {
    const cursorOf = async (query: string) =>
      (await harness.api.get(`${path}?limit=2&${query}`).expect(200)).headers['x-next-cursor'];
    const queries = ['order=desc', 'order=asc', `after=${newest[20]}`, `after=${newest[21]}`];
    for (const from of queries) {
      for (const to of queries) {
        const answer = await harness.api.get(`${path}?${to}&cursor=${await cursorOf(from)}`);
        expect([from, to, answer.status]).toEqual([from, to, from === to ? 200 : 400]);
      }
    }
  });

  it('returns a comment by id only under the comment’s own issue', async () => {
    const { body } = await harness.api.get(`${path}?limit=1`).expect(200);
    const one = await harness.api.get(`${path}/${newest[0]}`).expect(200);
    expect(one.body).toEqual(body[0]);
    const other = await harness.build.issue();
    for (const id of [newest[0], newId(), 'x']) {
      await harness.api.get(`/api/issues/${other.id}/comments/${id}`).expect(404);
    }
    const issue = await harness.api.get(`/api/issues/${one.body.issueId}`).expect(200);
    const byName = `/api/issues/${issue.body.identifier.toLowerCase()}/comments/${newest[0]}`;
    expect((await harness.api.get(byName).expect(200)).body.id).toBe(newest[0]);
    const { authorization } = await harness.build.liveRun();
    const foreign = await harness.api
      .get(`${path}/${newest[0]}`)
      .set('Authorization', authorization);
    expect([foreign.status, foreign.body.code]).toEqual([403, 'cross_company']);
  });

  it.each([
    ['order', 'order=newest'],
    ['after', 'after=1'],
    ['after', `after=${newId()}`],
    ['cursor', 'order=asc&cursor=x'],
  ])('rejects %s in ?%s with 400', async (field, query) => {
    const { body } = await harness.api.get(`${path}?${query}`).expect(400);
    expect(body.details[0].path).toEqual([field]);
  });

  it('rejects a comment of another issue as `after`', async () => {
    const other = await harness.build.issue();
    await harness.api.get(`/api/issues/${other.id}/comments?after=${newest[0]}`).expect(400);
  });
});

describe('GET /api/issues/:issueId/approvals', () => {
  const harness = useHarness();

  it('lists the approvals of the issue, newest first', async () => {
    const issue = await harness.build.issue();
    const at = `/api/companies/${issue.companyId}/approvals`;
    const ask = async (issueIds: string[]) =>
      (await harness.api.post(at).send({ type: 'approve_ceo_strategy', issueIds }).expect(201)).body
        .id;
    const made = [await ask([issue.id]), await ask([issue.id]), await ask([issue.id])];
    await ask([]);
    const path = `/api/issues/${issue.identifier}/approvals`;
    const walked = await walkPages<{ id: string }>(harness, path, 2);
    expect(walked.map(({ id }) => id)).toEqual(made.reverse());
    expect((await harness.api.get(`${path}?limit=1`)).body[0]).not.toHaveProperty('payload');
  });
});
