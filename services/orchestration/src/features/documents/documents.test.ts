import { newId } from '@switchyard/db';
import type { DocumentRevisionView, DocumentSummaryView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('document routes of an issue', () => {
  const harness = useHarness();
  const at = (issueId: string, rest = '') => `/api/issues/${issueId}/documents${rest}`;
  const put = async (issueId: string, key: string, body: object) => {
    const answer = await harness.api.put(at(issueId, `/${key}`)).send(body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body as DocumentSummaryView;
  };

  it('list documents newest first, in pages, without their text', async () => {
    const issue = await harness.build.issue();
    for (const key of ['a', 'b', 'c']) await put(issue.id, key, { body: key });
    const first = await harness.api.get(at(issue.id, '?limit=2'));
    expect(first.status).toBe(200);
    expect(first.headers['x-limit']).toBe('2');
    expect(first.body.map((each: DocumentSummaryView) => each.key)).toEqual(['c', 'b']);
    expect(first.body[0]).not.toHaveProperty('body');
    const cursor = first.headers['x-next-cursor'];
    const second = await harness.api.get(at(issue.id, `?limit=2&cursor=${cursor}`));
    expect(second.body.map((each: DocumentSummaryView) => each.key)).toEqual(['a']);
    expect(second.headers).not.toHaveProperty('x-next-cursor');
    const { body } = await harness.api.get(`/api/issues/${issue.id}`).expect(200);
    expect(body.documentSummaries).toEqual([...first.body, ...second.body]);
  });

  it('return 400 for an invalid list query', async () => {
    const issue = await harness.build.issue();
    await put(issue.id, 'plan', { body: 'x' });
    for (const path of ['?limit=0', '?cursor=zzz', '?page=2', '/plan/revisions?cursor=WyJ4Il0']) {
      expect((await harness.api.get(at(issue.id, path))).status).toBe(400);
    }
  });

  it('list the revisions of a document, newest first, with text and author', async () => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId });
    const first = await put(issue.id, 'plan', { body: 'one' });
    await harness.api
      .put(at(issue.id, '/plan'))
      .set('Authorization', run.authorization)
      .send({ body: 'two', title: 'Plan', baseRevisionId: first.latestRevisionId });
    const newest = await harness.api.get(at(issue.id, '/plan/revisions?limit=1'));
    expect(newest.body).toEqual([
      {
        id: expect.any(String),
        revisionNumber: 2,
        title: 'Plan',
        format: 'markdown',
        body: 'two',
        createdByAgentId: run.agent.id,
        createdByUserId: null,
        createdByRunId: run.id,
        createdAt: expect.any(String),
      },
    ]);
    const cursor = newest.headers['x-next-cursor'];
    const rest = await harness.api.get(at(issue.id, `/plan/revisions?cursor=${cursor}`));
    expect(rest.body).toMatchObject([
      {
        id: first.latestRevisionId,
        revisionNumber: 1,
        body: 'one',
        createdByUserId: 'local-board',
      },
    ]);
    expect(rest.headers).not.toHaveProperty('x-next-cursor');
  });

  it('end a page of revisions when its size reaches a limit in bytes', async () => {
    const issue = await harness.build.issue();
    const text = 'ü'.repeat(500_000);
    let base: string | null = null;
    for (let n = 0; n < 7; n++) {
      base = (await put(issue.id, 'long', { body: text, baseRevisionId: base })).latestRevisionId;
    }
    const seen: number[] = [];
    let cursor = '';
    do {
      const path = at(issue.id, `/long/revisions${cursor && `?cursor=${cursor}`}`);
      const answer = await harness.api.get(path);
      const revisions = answer.body as DocumentRevisionView[];
      expect(revisions.length).toBeLessThanOrEqual(5);
      seen.push(...revisions.map((each) => each.revisionNumber));
      cursor = answer.headers['x-next-cursor'] ?? '';
    } while (cursor);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it('let only the board delete a document with its revisions, which frees the document’s key', async () => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId });
    const first = await put(issue.id, 'plan', { body: 'one' });
    await put(issue.id, 'plan', { body: 'two', baseRevisionId: first.latestRevisionId });
    const path = at(issue.id, '/plan');
    const refused = await harness.api.delete(path).set('Authorization', run.authorization);
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe('board_only');
    expect((await harness.api.get(path)).status).toBe(200);

    expect((await harness.api.delete(path)).status).toBe(204);
    expect((await harness.api.get(path)).status).toBe(404);
    expect((await harness.api.get(`${path}/revisions`)).status).toBe(404);
    expect((await harness.api.delete(path)).status).toBe(404);
    expect(await harness.db.documentRevision.count({ where: { documentId: first.id } })).toBe(0);
    const records = await harness.db.activity.findMany({
      where: { entityId: first.id, action: 'document.deleted' },
    });
    expect(records).toMatchObject([{ details: { issueId: issue.id, key: 'plan', revisions: 2 } }]);
    expect((await put(issue.id, 'plan', { body: 'again' })).latestRevisionNumber).toBe(1);
  });

  it('return 404 for an unknown document and 403 to other companies, on every read', async () => {
    const issue = await harness.build.issue();
    await put(issue.id, 'plan', { body: 'x' });
    for (const rest of ['/none', '/none/revisions', '/BAD', '/BAD/revisions']) {
      expect((await harness.api.get(at(issue.id, rest))).status).toBe(404);
    }
    for (const id of [newId(), 'nonsense']) {
      for (const rest of ['', '/plan', '/plan/revisions']) {
        expect((await harness.api.get(at(id, rest))).status).toBe(404);
      }
      expect((await harness.api.delete(at(id, '/plan'))).status).toBe(404);
    }
    const { authorization } = await harness.build.liveRun();
    for (const rest of ['', '/plan', '/plan/revisions']) {
      const answer = await harness.api.get(at(issue.id, rest)).set('Authorization', authorization);
      expect(answer.status).toBe(403);
    }
  });
});
