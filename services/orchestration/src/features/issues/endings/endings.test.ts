import { ISSUE_STATUSES, type IssueStatus, type IssueView } from '@switchyard/types';
import { everything } from '../../../../test/everything';
import { useHarness } from '../../../../test/harness';

const OPEN = ISSUE_STATUSES.filter((status) => status !== 'done' && status !== 'cancelled');
const STEPS: Partial<Record<IssueStatus, IssueStatus[]>> = {
  backlog: ['in_progress', 'in_review', 'done'],
  todo: ['in_progress', 'in_review', 'done'],
  blocked: ['in_progress', 'in_review', 'done'],
  in_progress: ['in_review', 'done'],
  in_review: ['done'],
};

describe('POST /api/issues/:issueId/complete and /reopen', () => {
  const harness = useHarness();
  const post = (issueId: string, verb: string, body: object = {}) =>
    harness.api.post(`/api/issues/${issueId}/${verb}`).send(body);
  const activityOf = async ({ id, companyId }: IssueView) =>
    (await harness.api.get(`/api/companies/${companyId}/activity`).query({ entityId: id })).body;

  async function issueIn(status: IssueStatus): Promise<{ issue: IssueView; runId?: string }> {
    if (status !== 'in_progress') return { issue: await harness.build.issue({ status }) };
    const run = await harness.build.liveRun();
    const { companyId, id: agentId } = run.agent;
    const issue = await harness.build.issue({ companyId, status: 'todo' });
    const { body } = await post(issue.id, 'checkout', { agentId, expectedStatuses: ['todo'] })
      .set('Authorization', run.authorization)
      .expect(200);
    return { issue: body, runId: run.id };
  }

  describe('complete', () => {
    it.each(OPEN)(
      'moves an issue from %s to done through the allowed steps, with one activity',
      async (from) => {
        const { issue, runId } = await issueIn(from);
        const { body } = await post(issue.id, 'complete').expect(200);
        expect(body).toMatchObject({
          status: 'done',
          started_at: expect.any(String),
          completed_at: expect.any(String),
          assigneeAgentId: issue.assigneeAgentId,
          checkoutRunId: null,
          checkedOutAt: null,
        });
        const since = (await activityOf(issue)).filter(
          (row: { action: string }) => !['issue.created', 'issue.checked_out'].includes(row.action),
        );
        expect(since).toMatchObject([
          { action: 'issue.completed', details: { from, to: 'done', steps: STEPS[from] } },
        ]);
        if (runId) {
          const run = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id: runId } });
          expect(run.status).toBe('running');
        }
      },
    );

    it('stores a comment if requested, changes nothing when repeated, and rejects cancelled issues', async () => {
      const { issue } = await issueIn('todo');
      const first = await post(issue.id, 'complete', { comment: 'Done elsewhere' }).expect(200);
      expect(first.body.comment).toMatchObject({ body: 'Done elsewhere' });
      const before = await everything(harness);
      const again = await post(issue.id, 'complete').expect(200);
      expect(again.body).toMatchObject({ completed_at: first.body.completed_at });
      expect(await everything(harness)).toEqual(before);
      const { issue: cancelled } = await issueIn('cancelled');
      const refused = await post(cancelled.id, 'complete').expect(422);
      expect(refused.body).toMatchObject({
        code: 'invalid_transition',
        error: expect.stringContaining('reopen'),
      });
    });

    it('takes effect once for 20 concurrent calls', async () => {
      const { issue } = await issueIn('todo');
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => post(issue.id, 'complete')),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const actions = (await activityOf(issue)).map((row: { action: string }) => row.action);
      expect(actions).toEqual(['issue.completed', 'issue.created']);
    });

    it('ends the routine run of the issue, and wakes the agents of issues that wait for it', async () => {
      const { api, build, db } = harness;
      const agent = await build.agent();
      const { companyId } = agent;
      const routine = await build.routine({ companyId, assigneeAgentId: agent.id });
      const { body: run } = await api.post(`/api/routines/${routine.id}/run`).send({});
      await post(run.linkedIssueId, 'complete').expect(200);
      const ended = await db.routineRun.findUniqueOrThrow({ where: { id: run.id } });
      expect(ended.status).toBe('completed');

      const blocker = await build.issue({ companyId, status: 'todo' });
      const fields = { assigneeAgentId: agent.id, blockedBy: [blocker.id] };
      const waiting = await build.issue({ companyId, status: 'todo', ...fields });
      await post(blocker.id, 'complete').expect(200);
      const wakes = await db.agentWakeup.findMany({ where: { issueId: waiting.id } });
      expect(wakes).toMatchObject([{ reason: 'blockers_ended' }]);
    });
  });

  describe('reopen', () => {
    it.each(['done', 'cancelled'] as const)('moves an issue from %s to todo', async (from) => {
      const { issue } = await issueIn(from);
      const { body } = await post(issue.id, 'reopen', { comment: 'Not yet' }).expect(200);
      expect(body).toMatchObject({
        status: 'todo',
        completed_at: null,
        cancelledAt: null,
        started_at: issue.started_at,
        woken: [],
        comment: { body: 'Not yet' },
      });
      expect((await activityOf(issue))[1]).toMatchObject({
        action: 'issue.reopened',
        details: { from, to: 'todo', unassigned: false },
      });
    });

    it.each(OPEN)('changes nothing for an issue that is %s', async (status) => {
      const { issue } = await issueIn(status);
      const before = await everything(harness);
      const { body } = await post(issue.id, 'reopen').expect(200);
      expect(body.status).toBe(status);
      expect(await everything(harness)).toEqual(before);
    });

    it('wakes the assignee, but does not reopen the routine run', async () => {
      const { api, build, db } = harness;
      const agent = await build.agent({ wakeOnAssignment: true });
      const { companyId } = agent;
      const routine = await build.routine({ companyId, assigneeAgentId: agent.id });
      const { body: run } = await api.post(`/api/routines/${routine.id}/run`).send({});
      await harness.drain();
      await post(run.linkedIssueId, 'complete').expect(200);
      const { body } = await post(run.linkedIssueId, 'reopen').expect(200);
      expect(body).toMatchObject({
        assigneeAgentId: agent.id,
        woken: [{ agentId: agent.id, outcome: 'queued' }],
      });
      const ended = await db.routineRun.findUniqueOrThrow({ where: { id: run.id } });
      expect(ended.status).toBe('completed');
    });

    it('removes a terminated assignee', async () => {
      const { api, build } = harness;
      const agent = await build.agent();
      const { companyId } = agent;
      const fields = { status: 'done', assigneeAgentId: agent.id } as const;
      const issue = await build.issue({ companyId, ...fields });
      await api.post(`/api/agents/${agent.id}/terminate`).expect(200);
      const { body } = await post(issue.id, 'reopen').expect(200);
      expect(body).toMatchObject({ status: 'todo', assigneeAgentId: null, woken: [] });
    });

    it('takes effect once for 20 concurrent calls', async () => {
      const { issue } = await issueIn('done');
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(issue.id, 'reopen')));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const actions = (await activityOf(issue)).map((row: { action: string }) => row.action);
      expect(actions).toEqual(['issue.reopened', 'issue.created']);
    });
  });

  it.each(['complete', 'reopen'])('%s returns 403 to agents', async (verb) => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId, status: 'todo' });
    const before = await everything(harness);
    const { body } = await post(issue.id, verb).set('Authorization', run.authorization).expect(403);
    expect(body.code).toBe('board_only');
    await post(issue.id, verb, { comment: '' }).expect(400);
    await post(issue.id, verb, { status: 'done' }).expect(400);
    expect(await everything(harness)).toEqual(before);
  });
});

describe('the error of an invalid transition', () => {
  const harness = useHarness();

  it.each<[IssueStatus, IssueStatus, string]>([
    ['in_review', 'todo', 'set in_progress first, then release it'],
    ['blocked', 'backlog', 'set todo first, then set backlog'],
    ['todo', 'done', 'check it out first, then set in_review, then set done'],
    ['backlog', 'blocked', 'check it out first, then set blocked'],
    ['done', 'todo', 'done is final; only the board can reopen the issue'],
  ])('names the shortest sequence of steps from %s to %s', async (from, to, way) => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId, status: from });
    const { body } = await harness.api
      .patch(`/api/issues/${issue.id}`)
      .set('Authorization', run.authorization)
      .send({ status: to })
      .expect(422);
    expect(body.error).toBe(`an issue cannot change from ${from} to ${to}: ${way}`);
  });

  it('names the allowed steps, and for the board also the routes that only the board may use', async () => {
    const { api, build } = harness;
    const run = await build.liveRun();
    const { id, companyId } = await build.issue({
      companyId: run.agent.companyId,
      status: 'todo',
    });
    const claim = { agentId: run.agent.id, expectedStatuses: ['todo'] };
    const asAgent = { Authorization: run.authorization };
    await api.post(`/api/issues/${id}/checkout`).set(asAgent).send(claim).expect(200);
    const done = { status: 'done' };
    const agents = await api.patch(`/api/issues/${id}`).set(asAgent).send(done).expect(422);
    expect(agents.body.error).toMatch(/: set in_review first, then set done$/);
    const boards = await api.patch(`/api/issues/${id}`).send(done).expect(422);
    expect(boards.body.error).toContain('or complete it with POST /api/issues/{issueId}/complete');
    const over = await build.issue({ companyId, status: 'done' });
    const reopened = await api.patch(`/api/issues/${over.id}`).send({ status: 'todo' }).expect(422);
    expect(reopened.body.error).toContain('POST /api/issues/{issueId}/reopen');
  });
});
