import type { CommentView } from '@switchyard/types';
import type { LiveRun } from '../../../test/builders';
import { useHarness } from '../../../test/harness';
import { NO_WAKE } from '../../state/wakeups/foresee-wake';

const CALLED = { agentId: null, name: 'board', outcome: 'board', reason: null, ...NO_WAKE };

describe('a mention of the board', () => {
  const harness = useHarness();

  const setUp = async () => {
    const run = await harness.build.liveRun();
    const { companyId } = run.agent;
    return { run, companyId, issue: await harness.build.issue({ companyId, status: 'todo' }) };
  };
  const comment = async (issueId: string, body: string, run?: LiveRun) => {
    const request = harness.api.post(`/api/issues/${issueId}/comments`).send({ body });
    if (run) request.set('Authorization', run.authorization);
    return (await request.expect(201)).body as CommentView;
  };
  const callOf = async (id: string) =>
    (await harness.db.issue.findUniqueOrThrow({ where: { id } })).boardMentionCommentId;

  it('appears in the response, and the latest mention by an agent is stored with the issue', async () => {
    const { run, issue } = await setUp();
    const { updatedAt } = await harness.db.issue.findUniqueOrThrow({ where: { id: issue.id } });
    const first = await comment(issue.id, 'Shall I? @Board', run);
    expect(first.mentions).toEqual([CALLED]);
    expect(await callOf(issue.id)).toBe(first.id);
    await comment(issue.id, 'I go on meanwhile', run);
    expect(await callOf(issue.id)).toBe(first.id);
    const second = await comment(issue.id, '@board: please, @board', run);
    expect(second.mentions).toEqual([CALLED]);
    expect(await callOf(issue.id)).toBe(second.id);
    const { body: list } = await harness.api.get(`/api/issues/${issue.id}/comments`);
    expect(list[0]).toEqual(second);
    const after = await harness.db.issue.findUniqueOrThrow({ where: { id: issue.id } });
    expect(after.updatedAt).toEqual(updatedAt);
  });

  it.each([
    '`@board`',
    '```\n@board\n```',
    'a@board',
    '@boards',
    '@board.com',
    'x/@board',
    '@@board',
  ])('has no effect in %s', async (body) => {
    const { run, issue } = await setUp();
    expect((await comment(issue.id, body, run)).mentions).toEqual([]);
    expect(await callOf(issue.id)).toBeNull();
  });

  it('ends when a person comments or when the issue ends', async () => {
    const { run, issue } = await setUp();
    await comment(issue.id, '@board', run);
    await comment(issue.id, 'I look at it');
    expect(await callOf(issue.id)).toBeNull();
    await comment(issue.id, '@board again', run);
    const path = `/api/issues/${issue.id}`;
    await harness.api.patch(path).send({ title: 'Renamed' }).expect(200);
    expect(await callOf(issue.id)).not.toBeNull();
    await harness.api.patch(path).send({ status: 'cancelled' }).expect(200);
    expect(await callOf(issue.id)).toBeNull();
  });

  it('has an effect if it is in the comment of an update, even if the update ends the issue', async () => {
    const { run, companyId } = await setUp();
    const issue = await harness.build.issue({ companyId, status: 'in_review' });
    const { body } = await harness.api
      .patch(`/api/issues/${issue.id}`)
      .set('Authorization', run.authorization)
      .send({ status: 'done', comment: '@board see what came of it' })
      .expect(200);
    expect(body.comment.mentions).toEqual([CALLED]);
    expect(await callOf(issue.id)).toBe(body.comment.id);
  });

  it('ends without an additional SQL statement if the comment wakes no agent', async () => {
    const { run, issue } = await setUp();
    await comment(issue.id, '@board', run);
    const query = jest.spyOn(harness.context.db.pool, 'query');
    try {
      await harness.api
        .post(`/api/issues/${issue.id}/comments`)
        .send({ body: 'I look at it', wake: false })
        .expect(201);
      expect(query).toHaveBeenCalledTimes(1);
    } finally {
      query.mockRestore();
    }
    expect(await callOf(issue.id)).toBeNull();
  });

  it('has no effect if a person writes the mention', async () => {
    const { issue } = await setUp();
    const { mentions } = await comment(issue.id, '@board');
    expect(mentions).toEqual([{ ...CALLED, outcome: 'skipped', reason: 'self' }]);
    expect(await callOf(issue.id)).toBeNull();
  });

  it('refers to people even if an agent is named Board, while @board-secretary refers to the agent Board Secretary', async () => {
    const { run, companyId, issue } = await setUp();
    const board = await harness.build.agent({ companyId, name: 'Board' });
    const secretary = await harness.build.agent({ companyId, name: 'Board Secretary' });
    const made = await comment(issue.id, '@Board, @board-secretary: look', run);
    expect(made.mentions).toEqual([
      CALLED,
      {
        agentId: secretary.id,
        name: 'Board Secretary',
        outcome: 'woken',
        reason: null,
        heartbeatRunId: null,
        wakeupId: expect.any(String),
      },
    ]);
    expect(await harness.db.agentWakeup.count({ where: { agentId: board.id } })).toBe(0);
    expect(await callOf(issue.id)).toBe(made.id);
  });

  it('has no effect beyond the part of a long comment that is parsed', async () => {
    const { run, issue } = await setUp();
    const { mentions } = await comment(issue.id, `${'x '.repeat(11_000)} @board`, run);
    expect(mentions).toEqual([{ ...CALLED, outcome: 'skipped', reason: 'beyond_read_limit' }]);
    expect(await callOf(issue.id)).toBeNull();
  });
});
