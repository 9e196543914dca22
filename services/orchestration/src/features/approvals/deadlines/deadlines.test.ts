import { newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import type { ApprovalView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../../test/authenticated-harness';
import type { LiveRun } from '../../../../test/builders';
import { everything } from '../../../../test/everything';
import { startDeadlines } from './start-deadlines';
import { takeSteps } from './take-steps';

const OPTIONS = [
  { key: 'small', label: 'The small one' },
  { key: 'large', label: 'The large one' },
];
const QUESTION = { title: 'Which plan?', options: OPTIONS };
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const ANSWER = { action: 'answer', option: 'small', note: 'No person answered' };

describe('a request with a deadline', () => {
  const harness = useAuthenticatedHarness();

  const ask = (run: LiveRun, fields: object, type = 'board_question') =>
    harness.api
      .post(`/api/companies/${run.agent.companyId}/approvals`)
      .set('Authorization', run.authorization)
      .send({ type, payload: type === 'board_question' ? QUESTION : { plan: 'grow' }, ...fields });
  const asked = async (fields: object) => {
    const run = await harness.build.liveRun();
    const { body } = await ask(run, fields).expect(201);
    return { run, question: body as ApprovalView };
  };
  const board = () => harness.founding;
  const read = async (id: string) =>
    (await board().get(`/api/approvals/${id}`).expect(200)).body as ApprovalView;
  const pass = (id: string, count: number) =>
    harness.asOwner(`UPDATE approval SET deadline_at = deadline_at - interval '${count} hours',
      waits_since = waits_since - interval '${count} hours',
      next_step_at = next_step_at - interval '${count} hours' WHERE id = '${id}'`);
  const carryOut = async () => {
    while (await takeSteps(harness.context));
  };
  const wakesOf = ({ agent }: LiveRun) =>
    harness.db.agentWakeup.findMany({ where: { agentId: agent.id } });
  const actionsOn = async ({ id, companyId }: ApprovalView) => {
    const where = { companyId, entityId: id };
    const rows = await harness.db.activity.findMany({ where, orderBy: { sequence: 'asc' } });
    return rows.map(({ action }) => action);
  };
  const decider = (companyId: string, role: 'operator' | 'viewer' = 'operator') =>
    harness.operator(companyId, role);

  it('chooses the default option at the deadline, wakes the agent, and refuses a late answer', async () => {
    const { run, question } = await asked({ deadlineAt: hours(1), onDeadline: ANSWER });
    await carryOut();
    expect(await read(question.id)).toEqual(question);
    await pass(question.id, 1);
    await carryOut();
    const decided = await read(question.id);
    expect(decided).toMatchObject({
      status: 'approved',
      decision: { option: 'small', note: 'No person answered' },
      decidedByUserId: null,
      deadlinePassedAt: expect.any(String),
    });
    expect(await wakesOf(run)).toMatchObject([
      { reason: 'question_answered', payload: { option: 'small' } },
    ]);
    const late = await board()
      .post(`/api/approvals/${question.id}/answer`)
      .send({ option: 'large' })
      .expect(409);
    expect(late.body).toMatchObject({
      code: 'not_pending',
      error: expect.stringContaining('already decided'),
      details: { status: 'approved', decision: decided.decision, decidedAt: decided.decidedAt },
    });
    await carryOut();
    expect(await read(question.id)).toEqual(decided);
    expect(await actionsOn(question)).toEqual([
      'approval.created',
      'approval.deadline_passed',
      'approval.answered',
    ]);
  });

  it('rejects the hire at the deadline and terminates its draft agent', async () => {
    const run = await harness.build.liveRun();
    const { body } = await harness.api
      .post(`/api/companies/${run.agent.companyId}/agent-hires`)
      .set('Authorization', run.authorization)
      .send({
        name: 'Nele',
        role: 'engineer',
        deadlineAt: hours(1),
        onDeadline: { action: 'reject' },
      })
      .expect(201);
    expect(Object.keys(body.approval.payload)).not.toContain('deadlineAt');
    await pass(body.approval.id, 1);
    await carryOut();
    expect(await read(body.approval.id)).toMatchObject({
      status: 'rejected',
      decisionNote: 'No decision was made before the deadline',
    });
    const agent = await board().get(`/api/agents/${body.agent.id}`);
    expect(agent.body.status).toBe('terminated');
    expect(await wakesOf(run)).toMatchObject([{ reason: 'approval_rejected' }]);
  });

  it('asks each member after a separate delay, then asks the person in the default, and stays pending', async () => {
    const run = await harness.build.liveRun();
    const { companyId } = run.agent;
    const [first, second, last] = [
      await decider(companyId),
      await decider(companyId),
      await decider(companyId),
    ];
    const { body } = await ask(run, {
      deadlineAt: hours(9),
      onDeadline: { action: 'ask', userId: last.id },
      escalation: [
        { userId: first.id, afterSec: 3_600 },
        { userId: second.id, afterSec: 7_200 },
      ],
    }).expect(201);
    const askedBy = async () => {
      await carryOut();
      const { escalation } = await read(body.id);
      return escalation.filter(({ askedAt }) => askedAt !== null).map(({ userId }) => userId);
    };
    expect(await askedBy()).toEqual([]);
    await pass(body.id, 1);
    expect(await askedBy()).toEqual([first.id]);
    await pass(body.id, 1);
    expect(await askedBy()).toEqual([first.id]);
    await pass(body.id, 1);
    expect(await askedBy()).toEqual([first.id, second.id]);
    await pass(body.id, 6);
    expect(await askedBy()).toEqual([first.id, second.id, last.id]);
    await pass(body.id, 100);
    expect(await askedBy()).toHaveLength(3);
    expect(await read(body.id)).toMatchObject({ status: 'pending' });
    expect(await wakesOf(run)).toEqual([]);
    expect(await actionsOn(body)).toEqual([
      'approval.created',
      'approval.escalated',
      'approval.escalated',
      'approval.deadline_passed',
      'approval.escalated',
    ]);
  });

  it('records a passed deadline once if the default is to wait', async () => {
    const { question } = await asked({ deadlineAt: hours(1) });
    await pass(question.id, 1);
    await carryOut();
    await carryOut();
    expect(await actionsOn(question)).toEqual(['approval.created', 'approval.deadline_passed']);
    await board()
      .post(`/api/approvals/${question.id}/answer`)
      .send({ option: 'large' })
      .expect(200);
  });

  it.each([
    ['withdraw', {}, 'rejected'],
    ['reject', {}, 'rejected'],
    ['answer', { option: 'large' }, 'approved'],
  ])(
    'does nothing at its deadline if the action %s has already ended it',
    async (verb, body, status) => {
      const run = await harness.build.liveRun();
      const { id: userId } = await decider(run.agent.companyId);
      const escalation = [{ userId, afterSec: 60 }];
      const fields = { deadlineAt: hours(1), onDeadline: ANSWER, escalation };
      const question = (await ask(run, fields).expect(201)).body;
      await board().post(`/api/approvals/${question.id}/${verb}`).send(body).expect(200);
      await pass(question.id, 100);
      const before = await everything(harness);
      await carryOut();
      expect(await everything(harness)).toEqual(before);
      expect(await read(question.id)).toMatchObject({ status, deadlinePassedAt: null });
    },
  );

  it('can be withdrawn once by the requesting agent, without a wake', async () => {
    const { run, question } = await asked({ deadlineAt: hours(1), onDeadline: ANSWER });
    const withdraw = (by: LiveRun) =>
      harness.api
        .post(`/api/approvals/${question.id}/withdraw`)
        .set('Authorization', by.authorization)
        .send({ reason: 'I found the plan' });
    const sibling = await harness.build.liveRun({ companyId: run.agent.companyId });
    expect((await withdraw(sibling).expect(403)).body.code).toBe('not_own');
    expect((await withdraw(run).expect(200)).body).toMatchObject({
      status: 'rejected',
      decisionNote: 'I found the plan',
    });
    expect((await withdraw(run).expect(409)).body.code).toBe('not_pending');
    expect(await wakesOf(run)).toEqual([]);
  });

  it('terminates the draft agent of a withdrawn hire', async () => {
    const { id } = await harness.build.company();
    const { body } = await board().post(`/api/companies/${id}/agent-hires`).send({ name: 'Nele' });
    await board().post(`/api/approvals/${body.approval.id}/withdraw`).send({}).expect(200);
    const agent = await board().get(`/api/agents/${body.agent.id}`);
    expect(agent.body.status).toBe('terminated');
  });

  it('does nothing at the deadline in an archived company', async () => {
    const { run, question } = await asked({ deadlineAt: hours(1), onDeadline: ANSWER });
    await board().post(`/api/companies/${run.agent.companyId}/archive`).expect(200);
    await pass(question.id, 1);
    await carryOut();
    expect(await read(question.id)).toMatchObject({ status: 'pending' });
    const { nextStepAt } = await harness.db.approval.findUniqueOrThrow({
      where: { id: question.id },
    });
    expect(nextStepAt).toBeNull();
  });

  it('gets a new deadline when it is revised and resubmitted', async () => {
    const run = await harness.build.liveRun();
    const { id: userId } = await decider(run.agent.companyId);
    const escalation = [{ userId, afterSec: 3_600 }];
    const fields = { deadlineAt: hours(3), onDeadline: { action: 'reject' }, escalation };
    const { body } = await ask(run, fields, 'approve_ceo_strategy').expect(201);
    await pass(body.id, 2);
    await carryOut();
    await board().post(`/api/approvals/${body.id}/request-revision`).send({}).expect(200);
    await pass(body.id, 2);
    await carryOut();
    expect(await read(body.id)).toMatchObject({ status: 'revision_requested' });
    const again = await harness.api
      .post(`/api/approvals/${body.id}/resubmit`)
      .set('Authorization', run.authorization)
      .expect(200);
    expect(again.body.escalation).toEqual([{ userId, afterSec: 3_600, askedAt: null }]);
    await pass(body.id, 2);
    await carryOut();
    expect(await read(body.id)).toMatchObject({ status: 'pending' });
    await pass(body.id, 1);
    await carryOut();
    expect(await read(body.id)).toMatchObject({ status: 'rejected' });
  });

  it('lets the board change its deadline while it is pending', async () => {
    const { run, question } = await asked({ deadlineAt: hours(1), onDeadline: ANSWER });
    const path = `/api/approvals/${question.id}`;
    const later = hours(5);
    const changed = await board().patch(path).send({ deadlineAt: later }).expect(200);
    expect(changed.body).toMatchObject({ deadlineAt: later, onDeadline: ANSWER });
    await pass(question.id, 2);
    await carryOut();
    const cleared = await board().patch(path).send({ deadlineAt: null }).expect(200);
    expect(cleared.body).toMatchObject({ status: 'pending', deadlineAt: null, onDeadline: null });
    await harness.api.patch(path).set('Authorization', run.authorization).send({}).expect(403);
    await board().post(`${path}/answer`).send({ option: 'small' }).expect(200);
    const late = await board().patch(path).send({ deadlineAt: later }).expect(409);
    expect(late.body.details.decision).toEqual({ option: 'small', note: null });
  });

  it.each<[object, (string | number)[]]>([
    [{ deadlineAt: 'tomorrow' }, ['deadlineAt']],
    [{ deadlineAt: hours(-1) }, ['deadlineAt']],
    [{ deadlineAt: hours(24 * 400) }, ['deadlineAt']],
    [{ onDeadline: ANSWER }, ['onDeadline']],
    [{ deadlineAt: hours(1), onDeadline: { action: 'approve' } }, ['onDeadline', 'action']],
    [{ deadlineAt: hours(1), onDeadline: { ...ANSWER, option: 'none' } }, ['onDeadline', 'option']],
    [{ deadlineAt: hours(1), onDeadline: { action: 'ask' } }, ['onDeadline', 'userId']],
    [{ escalation: [{ userId: newId(), afterSec: 0 }] }, ['escalation', 0, 'afterSec']],
    [{ escalation: [{ userId: 'Ada', afterSec: 1 }] }, ['escalation', 0, 'userId']],
    [{ escalation: Array(11).fill({ userId: newId(), afterSec: 1 }) }, ['escalation']],
  ])('refuses %j with 400 and the path of the field', async (fields, path) => {
    const run = await harness.build.liveRun();
    const { body } = await ask(run, fields).expect(400);
    expect(body.details[0].path).toEqual(path);
  });

  it('refuses an answer as the default of an approval', async () => {
    const run = await harness.build.liveRun();
    const fields = { deadlineAt: hours(1), onDeadline: ANSWER };
    const { body } = await ask(run, fields, 'approve_ceo_strategy').expect(400);
    expect(body.details[0].path).toEqual(['onDeadline', 'action']);
  });

  it('refuses to ask a viewer, a stranger or an unknown person', async () => {
    const run = await harness.build.liveRun();
    const viewer = await decider(run.agent.companyId, 'viewer');
    const stranger = await decider((await harness.build.company()).id);
    for (const userId of [viewer.id, stranger.id, newId()]) {
      const escalation = [{ userId, afterSec: 60 }];
      const { body } = await ask(run, { escalation }).expect(422);
      expect(body).toMatchObject({
        code: 'unknown_reference',
        details: { field: 'escalation.0.userId' },
      });
    }
  });

  it('gets exactly one decision while two workers and people decide (60 questions)', async () => {
    const run = await harness.build.liveRun();
    const ids: string[] = [];
    for (let n = 0; n < 60; n++) {
      const { body } = await ask(run, { deadlineAt: hours(1), onDeadline: ANSWER }).expect(201);
      ids.push(body.id);
    }
    await harness.asOwner(`UPDATE approval SET deadline_at = now() + random() * interval '1 second'
      WHERE requested_by_agent_id = '${run.agent.id}';
      UPDATE approval SET next_step_at = deadline_at WHERE requested_by_agent_id = '${run.agent.id}'`);
    const workers = [startDeadlines(harness.context), startDeadlines(harness.context)];
    const answers = await Promise.all(
      ids.map((id, n) =>
        n % 3 === 0
          ? board().post(`/api/approvals/${id}/answer`).send({ option: 'large' })
          : board().post(`/api/approvals/${id}/withdraw`).send({}),
      ),
    );
    await until('every question to be decided', async () => {
      const open = { id: { in: ids }, status: 'pending' };
      return (await harness.db.approval.count({ where: open })) === 0;
    });
    await Promise.all(workers.map((worker) => worker.close()));
    const decisions = { in: ['approval.answered', 'approval.withdrawn', 'approval.rejected'] };
    const records = await harness.db.activity.findMany({
      where: { entityId: { in: ids }, action: decisions },
    });
    expect(records.map(({ entityId }) => entityId).sort()).toEqual([...ids].sort());
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });

  it('chooses the default option at the deadline without any request to the API', async () => {
    const deadlineAt = new Date(Date.now() + 5_000).toISOString();
    const { question } = await asked({ deadlineAt, onDeadline: ANSWER });
    const worker = startDeadlines(harness.context);
    await until('the default to be taken', async () => {
      return (await read(question.id)).status === 'approved';
    });
    await worker.close();
    const { decidedAt } = await read(question.id);
    expect(Date.parse(decidedAt as string)).toBeGreaterThanOrEqual(Date.parse(deadlineAt));
  });
});
