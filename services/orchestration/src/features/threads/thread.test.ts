import { newId } from '@switchyard/db';
import { type ThreadEntry, threadEntry } from '@switchyard/types';
import { z } from 'zod';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';

describe('GET /api/issues/{issueId}/thread', () => {
  const harness = useHarness();
  const query = (sql: string, values: unknown[] = []) => harness.context.db.pool.query(sql, values);

  const lived = async () => {
    const { build, api } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const issue = await build.issue({ companyId, status: 'todo' });
    const at = `/api/issues/${issue.id}`;
    await api
      .post(`${at}/comments`)
      .send({ body: `@${run.agent.name} look` })
      .expect(201);
    await query('UPDATE heartbeat_run SET issue_id = $2 WHERE id = $1', [run.id, issue.id]);
    await query(
      `INSERT INTO run_log_chunk (company_id, run_id, start_offset, content) VALUES ($1, $2, 0, 'working')`,
      [companyId, run.id],
    );
    await api.put(`${at}/documents/plan`).send({ body: 'Text', title: 'The plan' }).expect(201);
    await api
      .post(`/api/companies/${companyId}/issues/${issue.id}/attachments`)
      .attach('file', Buffer.from('some text'), 'file.txt')
      .expect(201);
    await api.patch(at).send({ priority: 'high' }).expect(200);
    const asked = { type: 'board_question', payload: { title: 'Which?' }, issueIds: [issue.id] };
    await api.post(`/api/companies/${companyId}/approvals`).send(asked).expect(201);
    return { at, issue, run, companyId };
  };

  const read = async (path: string): Promise<ThreadEntry[]> => {
    const { body } = await harness.api.get(path).expect(200);
    return z.array(threadEntry).parse(body);
  };

  it('returns all events of the issue by time, each in the format of its own route', async () => {
    const { api } = harness;
    const { at, issue, run } = await lived();
    const thread = await read(`${at}/thread?order=asc`);
    expect(thread.map(({ kind }) => kind).sort()).toEqual(
      ['approval', 'attachment', 'change', 'change', 'comment', 'revision', 'run'].sort(),
    );
    const of = <K extends ThreadEntry['kind']>(kind: K) =>
      thread.filter((one) => one.kind === kind) as Extract<ThreadEntry, { kind: K }>[];
    const [comment] = (await api.get(`${at}/comments`)).body;
    expect(of('comment')).toEqual([
      {
        kind: 'comment',
        id: comment.id,
        at: comment.createdAt,
        authorName: 'Local board',
        comment,
      },
    ]);
    expect(of('change').map(({ change, authorName }) => [change.action, authorName])).toEqual([
      ['issue.created', 'Local board'],
      ['issue.updated', 'Local board'],
    ]);
    expect(of('run')[0]?.run).toMatchObject({
      id: run.id,
      issueId: issue.id,
      agentName: run.agent.name,
      status: 'running',
      lastLogLine: 'working',
      usage: { costCents: 0 },
    });
    expect(of('revision')[0]).toMatchObject({
      authorName: 'Local board',
      revision: { key: 'plan', title: 'The plan', revisionNumber: 1 },
    });
    const [attachment] = (await api.get(`${at}/attachments`)).body;
    expect(of('attachment')[0]?.attachment).toEqual(attachment);
    const [approval] = (await api.get(`${at}/approvals`)).body;
    expect(of('approval')[0]?.approval).toEqual(approval);
    const times = thread.map((one) => one.at);
    expect(times).toEqual([...times].sort());
    expect(await read(`${at}/thread`)).toEqual([...thread].reverse());
  });

  it.each(['asc', 'desc'])('returns every entry once across pages with order=%s', async (order) => {
    const { at, companyId, issue } = await lived();
    const same = '2026-01-01T00:00:00.000Z';
    await query(
      `INSERT INTO issue_comment (id, company_id, issue_id, body, author_user_id, mentions, created_at)
       SELECT gen_random_uuid(), $1, $2, 'again', 'local-board', '[]', $3::timestamptz FROM generate_series(1, 7)`,
      [companyId, issue.id, same],
    );
    const path = `${at}/thread?order=${order}`;
    const whole = await read(`${path}&limit=500`);
    expect(whole).toHaveLength(14);
    for (const limit of [1, 3, 14]) {
      expect(await walkPages<ThreadEntry>(harness, path, limit)).toEqual(whole);
    }
  });

  it('filters by kind and time, and rejects a cursor from another filter', async () => {
    const { at } = await lived();
    const runs = await read(`${at}/thread?kinds=run,approval`);
    expect(runs.map(({ kind }) => kind).sort()).toEqual(['approval', 'run']);
    const all = await read(`${at}/thread`);
    const since = all[2]?.at as string;
    const news = await read(`${at}/thread?since=${since}`);
    expect(news).toEqual(all.filter((one) => one.at >= since));
    const { headers } = await harness.api.get(`${at}/thread?limit=1`).expect(200);
    const cursor = headers['x-next-cursor'];
    for (const other of ['order=asc', 'kinds=run', `since=${since}`]) {
      const { body } = await harness.api.get(`${at}/thread?${other}&cursor=${cursor}`).expect(400);
      expect(body.details[0].path).toEqual(['cursor']);
    }
  });

  it.each([
    ['kinds', 'kinds=likes'],
    ['order', 'order=best'],
    ['since', 'since=yesterday'],
    ['cursor', 'cursor=W10'],
  ])('rejects an invalid %s in ?%s with 400', async (field, asked) => {
    const { id } = await harness.build.issue();
    const { body } = await harness.api.get(`/api/issues/${id}/thread?${asked}`).expect(400);
    expect(body.details[0].path[0]).toBe(field);
  });

  it('includes a run for another issue exactly once if the run served a wake for this issue', async () => {
    const { build } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const [first, second] = [await build.issue({ companyId }), await build.issue({ companyId })];
    const { id } = await build.queuedRun(agent.id);
    const wakes = [first, second].map((issue) => ({
      source: 'mention',
      reason: null,
      issueId: issue.id,
      commentId: null,
      payload: null,
      at: '2026-01-01T00:00:00.000Z',
    }));
    await query('UPDATE heartbeat_run SET issue_id = $2, wake_reasons = $3 WHERE id = $1', [
      id,
      first.id,
      JSON.stringify(wakes),
    ]);
    for (const issue of [first, second]) {
      const { body } = await harness.api.get(`/api/issues/${issue.id}/thread?kinds=run`);
      expect(body.map((one: ThreadEntry) => one.id)).toEqual([id]);
      expect(body[0].run.issueId).toBe(first.id);
    }
  });

  it('limits a page to 1 MiB, and continues on the next page', async () => {
    const { companyId, id: issueId } = await harness.build.issue();
    for (let row = 0; row < 4; row++) {
      await query(
        `INSERT INTO issue_comment (id, company_id, issue_id, body, author_user_id, mentions)
         VALUES ($1, $2, $3, repeat('x', 400000), 'local-board', '[]')`,
        [newId(), companyId, issueId],
      );
    }
    const path = `/api/issues/${issueId}/thread?kinds=comment`;
    const first = await harness.api.get(path).expect(200);
    expect(first.body).toHaveLength(3);
    const cursor = first.headers['x-next-cursor'];
    expect((await harness.api.get(`${path}&cursor=${cursor}`)).body).toHaveLength(1);
  });

  it('returns 200 to agents of the company, and 403 to agents of other companies', async () => {
    const { api, build } = harness;
    const { at, run } = await lived();
    await api.get(`${at}/thread`).set('Authorization', run.authorization).expect(200);
    const stranger = await build.liveRun();
    const { body } = await api
      .get(`${at}/thread`)
      .set('Authorization', stranger.authorization)
      .expect(403);
    expect(body.code).toBe('cross_company');
    await api.get(`/api/issues/${newId()}/thread`).expect(404);
  });
});
