import { until } from '@switchyard/testing';
import { ISSUE_STATUSES, type IssueStatus, type IssueView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { inTransaction } from '../../kernel/call';
import { claimRun } from '../../state/runs/claim-run';
import { finishRun } from '../../state/runs/end-run';
import { updateIssue } from './update-issue';

const ALLOWED: Record<IssueStatus, IssueStatus[]> = {
  backlog: ['todo', 'cancelled'],
  todo: ['backlog', 'cancelled'],
  in_progress: ['in_review', 'blocked', 'cancelled'],
  in_review: ['done', 'in_progress', 'cancelled'],
  blocked: ['todo', 'cancelled'],
  done: [],
  cancelled: [],
};
const CHECKOUT_REQUIRED: IssueStatus[] = ['backlog', 'todo', 'blocked'];

const LOCK_WAITS = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const PAIRS = ISSUE_STATUSES.flatMap((from) => ISSUE_STATUSES.map((to) => [from, to] as const));

describe('changing the status of an issue', () => {
  const harness = useHarness();
  const patch = (id: string, body: object) => harness.api.patch(`/api/issues/${id}`).send(body);

  async function issueIn(status: IssueStatus): Promise<IssueView> {
    if (status !== 'in_progress') return harness.build.issue({ status });
    const run = await harness.build.liveRun();
    const { id } = await harness.build.issue({ companyId: run.agent.companyId, status: 'todo' });
    const { body } = await harness.api
      .post(`/api/issues/${id}/checkout`)
      .set('Authorization', run.authorization)
      .send({ agentId: run.agent.id, expectedStatuses: ['todo'] })
      .expect(200);
    return body;
  }

  it.each(PAIRS)('from %s to %s follows the table of transitions', async (from, to) => {
    const issue = await issueIn(from);
    const before = await everything(harness);
    const { status, body } = await patch(issue.id, { status: to });
    if (from === to) {
      expect(status).toBe(200);
      expect(body).toEqual({ ...issue, woken: [] });
      expect(await everything(harness)).toEqual(before);
      return;
    }
    if (ALLOWED[from].includes(to)) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: to, checkoutRunId: null, checkedOutAt: null });
      expect(body.completed_at !== null).toBe(to === 'done');
      expect(body.cancelledAt !== null).toBe(to === 'cancelled');
      expect(body.started_at !== null).toBe(from === 'in_progress' || to === 'in_progress');
      expect(body.assigneeAgentId).toBe(issue.assigneeAgentId);
      return;
    }
    expect({ status, code: body.code }).toEqual(
      to === 'in_progress' && CHECKOUT_REQUIRED.includes(from)
        ? { status: 409, code: 'checkout_required' }
        : { status: 422, code: 'invalid_transition' },
    );
    if (status === 422) expect(body.details).toEqual({ from, to, allowed: ALLOWED[from] });
    expect(await everything(harness)).toEqual(before);
  });

  it('does not change started_at when the issue returns to in_progress', async () => {
    const issue = await issueIn('in_progress');
    await patch(issue.id, { status: 'in_review' }).expect(200);
    const { body } = await patch(issue.id, { status: 'in_progress' }).expect(200);
    expect(body.started_at).toBe(issue.started_at);
  });

  it('restores the lock when in_review changes to in_progress, but only if the assignee’s live run sends the request', async () => {
    const { api, build } = harness;
    const issue = await issueIn('in_progress');
    const { companyId, assigneeAgentId } = issue;
    const { body: assignee } = await api.get(`/api/agents/${assigneeAgentId}`);
    const review = () => patch(issue.id, { status: 'in_review' }).expect(200);
    await review();
    const other = await build.liveRun({ companyId });
    const byOther = await patch(issue.id, { status: 'in_progress' })
      .set('Authorization', other.authorization)
      .expect(200);
    expect(byOther.body).toMatchObject({ checkoutRunId: null, checkedOutAt: null });
    await review();
    const byKey = await patch(issue.id, { status: 'in_progress' })
      .set('Authorization', await build.apiKey(assignee.id))
      .expect(200);
    expect(byKey.body).toMatchObject({ checkoutRunId: null, checkedOutAt: null });
    await review();
    const run = await build.liveRun(assignee);
    const byRun = await patch(issue.id, { status: 'in_progress' })
      .set('Authorization', run.authorization)
      .expect(200);
    expect(byRun.body).toMatchObject({ checkoutRunId: run.id, checkedOutAt: expect.any(String) });
  });

  it.each([
    ['succeeded', { exitCode: 0 }],
    ['failed', { exitCode: 1, transient: true }],
  ] as const)(
    'leaves no lock after in_review if the run has %s in the meantime',
    async (status, how) => {
      const { build, context } = harness;
      const agent = await build.agent();
      const { companyId, id: agentId } = agent;
      const fields = { companyId, assigneeAgentId: agentId, status: 'in_review' } as const;
      const issue = await build.issue(fields);
      const run = await claimRun(context, await build.queuedRun(agentId), 'a worker');
      if (!run) throw new Error('the run was not claimed');
      const actor = { type: 'agent', agentId, companyId, via: 'run_token' } as const;
      const call = { context, db: context.db, actor, companyId, runId: run.id };
      let isOver = false;
      const waits = async () => isOver || (await context.db.pool.query(LOCK_WAITS)).rows.length > 0;
      const { ending } = await inTransaction(call, async (tx) => {
        const held = await updateIssue(tx, issue.id, { status: 'in_progress' });
        expect(held.checkoutRunId).toBe(run.id);
        const ending = finishRun(context, run, { status, ...how }).finally(() => {
          isOver = true;
        });
        await until('the end of the run to wait', waits);
        return { ending };
      });
      expect(await ending).toBe(true);
      const after = await harness.db.issue.findUniqueOrThrow({ where: { id: issue.id } });
      expect(after).toMatchObject({
        status: 'in_progress',
        checkoutRunId: null,
        checkedOutAt: null,
      });
    },
  );

  it('lets the assignee check out the issue after a review if the request expects in_progress', async () => {
    const { api, build } = harness;
    const issue = await issueIn('in_progress');
    await patch(issue.id, { status: 'in_review' }).expect(200);
    await patch(issue.id, { status: 'in_progress' }).expect(200);
    const { body: assignee } = await api.get(`/api/agents/${issue.assigneeAgentId}`);
    const run = await build.liveRun(assignee);
    const checkout = (expectedStatuses: string[]) =>
      api
        .post(`/api/issues/${issue.id}/checkout`)
        .set('Authorization', run.authorization)
        .send({ agentId: assignee.id, expectedStatuses });
    expect((await checkout(['todo']).expect(409)).body.code).toBe('status_mismatch');
    expect((await checkout(['in_progress']).expect(200)).body.checkoutRunId).toBe(run.id);
  });

  it.each(['in_review', 'blocked', 'cancelled', 'done', 'todo'])(
    'returns 409 to an agent while another agent has checked out the issue: %s',
    async (to) => {
      const issue = await issueIn('in_progress');
      const other = await harness.build.liveRun({ companyId: issue.companyId });
      const before = await everything(harness);
      const { body } = await patch(issue.id, { status: to, title: 'no' })
        .set('Authorization', other.authorization)
        .expect(409);
      expect(body).toMatchObject({
        code: 'checked_out',
        details: {
          issueId: issue.id,
          status: 'in_progress',
          assigneeAgentId: issue.assigneeAgentId,
          checkoutRunId: issue.checkoutRunId,
          retry: false,
        },
      });
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('succeeds for the agent that has checked out the issue, and for the board', async () => {
    const mine = await issueIn('in_progress');
    const key = await harness.build.apiKey(mine.assigneeAgentId as string);
    await patch(mine.id, { status: 'blocked' }).set('Authorization', key).expect(200);
    const boards = await issueIn('in_progress');
    await patch(boards.id, { status: 'cancelled' }).expect(200);
  });
});
