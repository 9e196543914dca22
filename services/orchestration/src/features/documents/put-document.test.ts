import { newId } from '@switchyard/db';
import type { DocumentRevisionView, DocumentView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('PUT /api/issues/{issueId}/documents/{key}', () => {
  const harness = useHarness();
  const put = (issueId: string, key: string, body: object, authorization?: string) => {
    const request = harness.api.put(`/api/issues/${issueId}/documents/${key}`);
    if (authorization) request.set('Authorization', authorization);
    return request.send(body);
  };
  const activityOf = (entityId: string) =>
    harness.db.activity.findMany({ where: { entityId }, orderBy: { sequence: 'asc' } });

  it('creates a document with default values and its author, and returns 201', async () => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId });
    const answer = await put(issue.id, 'plan', { body: '# Plan' }, run.authorization);
    expect(answer.status).toBe(201);
    const document = answer.body as DocumentView;
    expect(document).toEqual({
      id: expect.any(String),
      issueId: issue.id,
      key: 'plan',
      title: 'plan',
      format: 'markdown',
      body: '# Plan',
      latestRevisionId: expect.any(String),
      latestRevisionNumber: 1,
      createdByAgentId: run.agent.id,
      createdByUserId: null,
      updatedByAgentId: run.agent.id,
      updatedByUserId: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await activityOf(document.id)).toMatchObject([
      { action: 'document.created', actorId: run.agent.id, runId: run.id, entityType: 'document' },
    ]);
  });

  it('updates the latest revision, leaves absent fields unchanged, and returns 200', async () => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId });
    const { body: first } = await put(
      issue.identifier,
      'notes',
      { title: 'Notes', format: 'text', body: 'a' },
      run.authorization,
    );
    const base = { baseRevisionId: first.latestRevisionId.toUpperCase() };
    const answer = await put(issue.id, 'notes', { body: '', ...base });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: first.id,
      title: 'Notes',
      format: 'text',
      body: '',
      latestRevisionNumber: 2,
      createdByAgentId: run.agent.id,
      updatedByAgentId: null,
      updatedByUserId: 'local-board',
      createdAt: first.createdAt,
    });
    expect((await activityOf(first.id)).map((row) => row.action)).toEqual([
      'document.created',
      'document.updated',
    ]);
  });

  it('rejects an outdated, foreign or missing base revision with 409, and changes nothing', async () => {
    const issue = await harness.build.issue();
    const { body: first } = await put(issue.id, 'plan', { body: 'one' });
    const { body: other } = await put(issue.id, 'other', { body: 'other' });
    const second = await put(issue.id, 'plan', {
      body: 'two',
      baseRevisionId: first.latestRevisionId,
    });
    const details = {
      key: 'plan',
      currentRevisionId: second.body.latestRevisionId,
      currentRevisionNumber: 2,
      retry: false,
    };
    for (const baseRevisionId of [first.latestRevisionId, other.latestRevisionId, newId(), null]) {
      const answer = await put(issue.id, 'plan', { body: 'three', baseRevisionId });
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: 'stale_revision', details });
    }
    const absent = await put(issue.id, 'plan', { body: 'three' });
    expect(absent.body).toMatchObject({ code: 'stale_revision', details });
    const early = await put(issue.id, 'fresh', { body: 'x', baseRevisionId: newId() });
    expect(early.status).toBe(409);
    expect(early.body.details).toMatchObject({ key: 'fresh', currentRevisionId: null });
    const kept = await harness.api.get(`/api/issues/${issue.id}/documents/plan`);
    expect(kept.body).toMatchObject({ body: 'two', latestRevisionNumber: 2 });
    expect(await harness.db.documentRevision.count({ where: { documentId: first.id } })).toBe(2);
  });

  it('accepts only one of 64 concurrent writes with the same base revision, in five rounds', async () => {
    const issue = await harness.build.issue();
    const { body: first } = await put(issue.id, 'race', { body: 'start' });
    let base = first.latestRevisionId as string;
    const rounds = 5;
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, n) =>
          put(issue.id, 'race', { body: `${round}-${n}`, baseRevisionId: base }),
        ),
      );
      const won = answers.filter((answer) => answer.status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 409)).toHaveLength(63);
      base = won[0]?.body.latestRevisionId;
    }
    const { body } = await harness.api.get(`/api/issues/${issue.id}/documents/race/revisions`);
    const history = body as DocumentRevisionView[];
    expect(history.map((each) => each.revisionNumber)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(history[0]?.id).toBe(base);
  });

  it('accepts only one of 64 concurrent requests that create the same key', async () => {
    const issue = await harness.build.issue();
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => put(issue.id, 'new', { body: `${n}` })),
    );
    const won = answers.filter((answer) => answer.status === 201);
    expect(won).toHaveLength(1);
    const lost = answers.filter((answer) => answer.status === 409);
    expect(lost).toHaveLength(63);
    for (const answer of lost) {
      expect(answer.body.code).toBe('stale_revision');
      expect(answer.body.details.currentRevisionId).toBe(won[0]?.body.latestRevisionId);
    }
    expect(await harness.db.issueDocument.count({ where: { issueId: issue.id } })).toBe(1);
    expect(
      await harness.db.documentRevision.count({ where: { documentId: won[0]?.body.id } }),
    ).toBe(1);
  });

  it('rejects a malformed body with 400, and the error names the field', async () => {
    const issue = await harness.build.issue();
    const cases: [object, string][] = [
      [{}, 'body'],
      [{ body: 7 }, 'body'],
      [{ body: 'x'.repeat(524_289) }, 'body'],
      [{ body: 'a\0b' }, 'body'],
      [{ body: '\ud800' }, 'body'],
      [{ body: 'x', title: ' ' }, 'title'],
      [{ body: 'x', title: null }, 'title'],
      [{ body: 'x', format: 'Mark Down' }, 'format'],
      [{ body: 'x', baseRevisionId: 'latest' }, 'baseRevisionId'],
      [{ body: 'x', summary: 'y' }, 'summary'],
    ];
    for (const [body, field] of cases) {
      const answer = await put(issue.id, 'plan', body);
      expect(answer.status).toBe(400);
      expect(answer.body.details[0].path).toEqual([field]);
    }
    expect(await harness.db.issueDocument.count({ where: { issueId: issue.id } })).toBe(0);
    const largest = await put(issue.id, 'plan', { body: '界'.repeat(524_288) });
    expect(largest.status).toBe(201);
  });

  it('returns 404 for a malformed key or unknown issue, and 403 to other companies', async () => {
    const issue = await harness.build.issue();
    for (const key of ['Plan', '-plan', 'a'.repeat(65), 'a%20b', 'a%00', '..%2Fplan', 'plän']) {
      expect((await put(issue.id, key, { body: 'x' })).status).toBe(404);
    }
    expect((await put(newId(), 'plan', { body: 'x' })).status).toBe(404);
    expect((await put('nonsense', 'plan', { body: 'x' })).status).toBe(404);
    const stranger = await harness.build.liveRun();
    const refused = await put(issue.id, 'plan', { body: 'x' }, stranger.authorization);
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe('cross_company');
    expect(await harness.db.issueDocument.count({ where: { issueId: issue.id } })).toBe(0);
  });

  it('returns 409 in an archived company', async () => {
    const company = await harness.build.company();
    const issue = await harness.build.issue({ companyId: company.id });
    await harness.api.post(`/api/companies/${company.id}/archive`).send();
    const answer = await put(issue.id, 'plan', { body: 'x' });
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('company_archived');
  });
});
