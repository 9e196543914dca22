import type { CommentView, UpdatedIssueView } from '@switchyard/types';
import type { LiveRun } from '../../../test/builders';
import { useHarness } from '../../../test/harness';
import { NO_WAKE } from '../../state/wakeups/foresee-wake';

describe('a comment', () => {
  const harness = useHarness();

  const asking = async (companyId: string, name: string) =>
    harness.build.liveRun(await harness.build.agent({ companyId, name }));
  const setUp = async (status: 'todo' | 'blocked' | 'done' = 'todo') => {
    const { id: companyId } = await harness.build.company();
    const ben = await asking(companyId, 'Ben');
    const ada = await harness.build.agent({ companyId, name: 'Ada' });
    const issue = await harness.build.issue({ companyId, status, assigneeAgentId: ada.id });
    return { ben, ada, companyId, issue };
  };
  const comment = async (issueId: string, sent: object, run?: LiveRun) => {
    const request = harness.api.post(`/api/issues/${issueId}/comments`).send(sent);
    if (run) request.set('Authorization', run.authorization);
    return (await request.expect(201)).body as CommentView;
  };
  const update = async (issueId: string, sent: object) =>
    (await harness.api.patch(`/api/issues/${issueId}`).send(sent).expect(200))
      .body as UpdatedIssueView;
  const wakeOnAssignment = (agentId: string) =>
    harness.api.patch(`/api/agents/${agentId}`).send({ wakeOnAssignment: true }).expect(200);
  const wakesOf = (agentId: string) =>
    harness.db.agentWakeup.findMany({
      where: { agentId },
      select: { source: true, reason: true, issueId: true, commentId: true, hops: true },
      orderBy: { createdAt: 'asc' },
    });

  it('wakes the assignee if a person writes the comment without a mention, and returns the wake', async () => {
    const { ada, issue } = await setUp();
    const made = await comment(issue.id, { body: 'Please look at the tests too' });
    expect(made.mentions).toEqual([]);
    expect(made.woken).toEqual([
      {
        agentId: ada.id,
        name: 'Ada',
        outcome: 'woken',
        reason: null,
        heartbeatRunId: null,
        wakeupId: expect.any(String),
      },
    ]);
    expect(await wakesOf(ada.id)).toEqual([
      {
        source: 'mention',
        reason: 'comment',
        issueId: issue.id,
        commentId: made.id,
        hops: 0,
      },
    ]);
    const { body: list } = await harness.api.get(`/api/issues/${issue.id}/comments`);
    expect(list[0]).toEqual(made);
  });

  it('wakes only mentioned agents if `wake` is false', async () => {
    const { ada, ben, issue } = await setUp();
    const made = await comment(issue.id, { body: 'Only a note', wake: false });
    expect(made.woken).toEqual([]);
    expect(await wakesOf(ada.id)).toEqual([]);
    await comment(issue.id, { body: 'A note for @Ben', wake: false });
    expect(await wakesOf(ada.id)).toEqual([]);
    expect(await wakesOf(ben.agent.id)).toHaveLength(1);
  });

  it('wakes a mentioned assignee only once', async () => {
    const { ada, issue } = await setUp();
    const made = await comment(issue.id, { body: '@Ada please look' });
    expect(made.woken).toEqual([]);
    expect(await wakesOf(ada.id)).toMatchObject([{ reason: null, commentId: made.id }]);
  });

  it('wakes the assignee, and every agent whose @board mention has not been answered', async () => {
    const { ada, ben, companyId, issue } = await setUp();
    const early = await asking(companyId, 'Early');
    await comment(issue.id, { body: '@board first?' }, early);
    await comment(issue.id, { body: 'Answered' });
    const cleo = await asking(companyId, 'Cleo');
    await comment(issue.id, { body: '@board second?' }, cleo);
    await comment(issue.id, { body: '@board which one?' }, ben);
    const made = await comment(issue.id, { body: 'The first one' });
    expect(made.woken.map(({ name }) => name).sort()).toEqual(['Ada', 'Ben', 'Cleo']);
    for (const { agent } of [ben, cleo]) {
      expect(await wakesOf(agent.id)).toMatchObject([
        { reason: 'mention_answered', commentId: made.id },
      ]);
    }
    expect(await wakesOf(early.agent.id)).toHaveLength(1);
    expect(await wakesOf(ada.id)).toHaveLength(2);
  });

  it('returns the reason if an agent cannot be woken', async () => {
    const { ada, issue } = await setUp();
    await harness.api.post(`/api/agents/${ada.id}/pause`).expect(200);
    const made = await comment(issue.id, { body: 'Go on' });
    expect(made.woken).toEqual([
      {
        ...{ agentId: ada.id, name: 'Ada', outcome: 'skipped' },
        ...{ reason: 'agent_paused_manual', ...NO_WAKE },
      },
    ]);
    expect(await wakesOf(ada.id)).toEqual([]);
  });

  it('wakes the assignee of an ended issue only if `wake` is true', async () => {
    const { ada, issue } = await setUp('done');
    expect((await comment(issue.id, { body: 'Thanks' })).woken).toEqual([]);
    expect(await wakesOf(ada.id)).toEqual([]);
    const made = await comment(issue.id, { body: 'One thing more', wake: true });
    expect(made.woken).toMatchObject([{ agentId: ada.id, outcome: 'woken', reason: 'issue_done' }]);
  });

  it('wakes the agent that mentioned the board on an ended issue, but not the assignee', async () => {
    const { ada, ben, issue } = await setUp('done');
    await comment(issue.id, { body: '@board shall I open a new one?' }, ben);
    const made = await comment(issue.id, { body: 'Yes' });
    expect(made.woken).toMatchObject([{ agentId: ben.agent.id, reason: 'issue_done' }]);
    expect(await wakesOf(ada.id)).toEqual([]);
  });

  it('ends the board mention and wakes the asking agent only once if two comments are sent concurrently', async () => {
    const { ben, issue } = await setUp();
    await comment(issue.id, { body: '@board which one?' }, ben);
    const both = await Promise.all([
      comment(issue.id, { body: 'The first' }),
      comment(issue.id, { body: 'The second' }),
    ]);
    const askers = both.flatMap(({ woken }) => woken.filter(({ name }) => name === 'Ben'));
    expect(askers).toHaveLength(1);
    expect(await wakesOf(ben.agent.id)).toHaveLength(1);
    const { boardMentionCommentId } = await harness.db.issue.findUniqueOrThrow({
      where: { id: issue.id },
    });
    expect(boardMentionCommentId).toBeNull();
  });

  describe('an update with a comment', () => {
    it('wakes the assignee only once if the update unblocks the issue', async () => {
      const { ada, issue } = await setUp('blocked');
      const { woken, comment: made } = await update(issue.id, { status: 'todo', comment: 'Go' });
      expect(woken).toEqual([]);
      expect(made?.woken).toMatchObject([{ agentId: ada.id, outcome: 'woken' }]);
      expect(await wakesOf(ada.id)).toMatchObject([{ reason: 'comment', commentId: made?.id }]);
    });

    it('wakes a new assignee because of the assignment, not because of the comment', async () => {
      const { ben, issue } = await setUp();
      await wakeOnAssignment(ben.agent.id);
      const sent = { assigneeAgentId: ben.agent.id, comment: 'Yours now' };
      const { woken, comment: made } = await update(issue.id, sent);
      expect(woken).toMatchObject([{ agentId: ben.agent.id }]);
      expect(made?.woken).toEqual([]);
      expect(await wakesOf(ben.agent.id)).toMatchObject([{ source: 'assignment' }]);
    });
  });

  describe('an agent’s comment', () => {
    it('wakes only the agents that the comment mentions', async () => {
      const { ada, ben, issue } = await setUp();
      expect((await comment(issue.id, { body: 'Half done' }, ben)).woken).toEqual([]);
      expect(await wakesOf(ada.id)).toEqual([]);
    });

    it('must not contain wake: true', async () => {
      const { ben, issue } = await setUp();
      for (const path of ['comments', 'comments/preview']) {
        const { body } = await harness.api
          .post(`/api/issues/${issue.id}/${path}`)
          .set('Authorization', ben.authorization)
          .send({ body: 'Look', wake: true })
          .expect(400);
        expect(body.details).toMatchObject([{ path: ['wake'] }]);
      }
      await harness.api
        .patch(`/api/issues/${issue.id}`)
        .set('Authorization', ben.authorization)
        .send({ comment: 'Look', wake: true })
        .expect(400);
    });
  });

  it.each([
    ['blocked', { status: 'todo' }, 'unblocked'],
    ['in_review', { status: 'in_progress' }, 'sent_back'],
    ['backlog', { status: 'todo' }, null],
  ] as const)(
    'can be omitted: a change from %s to %j by a person wakes the assignee unless `wake` is false',
    async (status, sent, reason) => {
      const { ada, companyId } = await setUp();
      const mine = { companyId, status, assigneeAgentId: ada.id };
      const issue = await harness.build.issue(mine);
      await wakeOnAssignment(ada.id);
      const { woken } = await update(issue.id, sent);
      expect(woken).toMatchObject([{ agentId: ada.id, outcome: 'queued' }]);
      expect(await wakesOf(ada.id)).toMatchObject([{ source: 'assignment', reason }]);
      const { id } = await harness.build.issue({ ...mine, assigneeAgentId: null });
      await update(id, { assigneeAgentId: ada.id, wake: false });
      expect((await update(id, { ...sent, wake: false })).woken).toEqual([]);
      expect(await wakesOf(ada.id)).toHaveLength(1);
    },
  );

  it('removes the inbox item of a blocked issue if the update with the comment unblocks the issue', async () => {
    const { ada, companyId, issue } = await setUp('blocked');
    const inbox = async () => (await harness.api.get(`/api/companies/${companyId}/inbox`)).body;
    expect(await inbox()).toMatchObject([{ kind: 'blocked_issue' }]);
    const [{ actions }] = await inbox();
    expect(actions[0].fields).toContainEqual({
      name: 'wake',
      type: 'boolean',
      required: false,
      preset: true,
      agentIds: [ada.id],
    });
    await update(issue.id, { status: 'todo', comment: 'The key is in the vault', wake: true });
    expect(await inbox()).toEqual([]);
  });

  it('does not become the reason in the inbox item of a blocked issue if a person writes the comment', async () => {
    const { ben, companyId, issue } = await setUp('blocked');
    await comment(issue.id, { body: 'The key is missing' }, ben);
    await comment(issue.id, { body: 'I look for it', wake: false });
    const { body: items } = await harness.api.get(`/api/companies/${companyId}/inbox`);
    expect(items).toMatchObject([{ kind: 'blocked_issue', reason: 'The key is missing' }]);
    const other = await harness.build.issue({ companyId, status: 'blocked' });
    await comment(other.id, { body: 'I look at it' });
    const { body: both } = await harness.api.get(`/api/companies/${companyId}/inbox`);
    expect(both).toContainEqual(
      expect.objectContaining({
        issueId: other.id,
        reason: 'Blocked without a comment',
      }),
    );
  });
});
