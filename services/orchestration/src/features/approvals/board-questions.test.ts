import type { ApprovalView } from '@switchyard/types';
import type { LiveRun } from '../../../test/builders';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

const QUESTION = {
  title: 'Which plan do we take?',
  body: 'The small one is done by Friday.',
  options: [
    { key: 'small', label: 'The small one', description: 'No search' },
    { key: 'large', label: 'The large one' },
  ],
  recommended: 'small',
};

describe('questions to the board', () => {
  const harness = useHarness();

  const post = (path: string, body: object, run?: LiveRun) => {
    const request = harness.api.post(path).send(body);
    return run ? request.set('Authorization', run.authorization) : request;
  };
  const ask = (companyId: string, payload: object, run?: LiveRun, fields: object = {}) =>
    post(
      `/api/companies/${companyId}/approvals`,
      { type: 'board_question', payload, ...fields },
      run,
    );
  const asked = async (payload: object = QUESTION) => {
    const run = await harness.build.liveRun();
    const { companyId } = run.agent;
    const { body } = await ask(companyId, payload, run).expect(201);
    return { run, companyId, question: body as ApprovalView };
  };
  const decide = (id: string, verb: string, body: object = {}, run?: LiveRun) =>
    post(`/api/approvals/${id}/${verb}`, body, run);
  const wakesOf = ({ agent }: LiveRun) =>
    harness.db.agentWakeup.findMany({ where: { agentId: agent.id } });

  it('can be asked, linked to issues, listed and read by an agent', async () => {
    const run = await harness.build.liveRun();
    const { companyId } = run.agent;
    const [one, two] = [
      await harness.build.issue({ companyId }),
      await harness.build.issue({ companyId }),
    ];
    const payload = { ...QUESTION, issueIds: [one.id, two.id] };
    const { body } = await ask(companyId, payload, run, { issueIds: [one.id] }).expect(201);
    expect(body).toMatchObject({
      type: 'board_question',
      status: 'pending',
      payload,
      requestedByAgentId: run.agent.id,
      decision: null,
    });
    const { payload: _, ...summary } = body;
    const list = await harness.api.get(`/api/companies/${companyId}/approvals?status=pending`);
    expect(list.body).toMatchObject([summary]);
    const linked = await harness.api.get(`/api/approvals/${body.id}/issues`).expect(200);
    expect(linked.body.map(({ id }: { id: string }) => id).sort()).toEqual([one.id, two.id].sort());
  });

  it.each<[string, unknown, (string | number)[]]>([
    ['no title', { body: 'x' }, ['payload', 'title']],
    ['an unknown field', { ...QUESTION, urgent: true }, ['payload', 'urgent']],
    ['an empty list of options', { ...QUESTION, options: [] }, ['payload', 'options']],
    [
      'a duplicate key',
      { ...QUESTION, options: [QUESTION.options[0], QUESTION.options[0]] },
      ['payload', 'options', 1, 'key'],
    ],
    [
      'a key with invalid characters',
      { title: 'x', options: [{ key: 'Yes!', label: 'Yes' }] },
      ['payload', 'options', 0, 'key'],
    ],
    ['an unknown recommendation', { ...QUESTION, recommended: 'none' }, ['payload', 'recommended']],
    [
      'a recommendation without options',
      { title: 'x', recommended: 'a' },
      ['payload', 'recommended'],
    ],
    ['a malformed issue id', { title: 'x', issueIds: ['x'] }, ['payload', 'issueIds', 0]],
    ['a long title', { title: 'x'.repeat(501) }, ['payload', 'title']],
    [
      'too many options',
      { title: 'x', options: Array.from({ length: 21 }, (_, n) => ({ key: `o${n}`, label: 'x' })) },
      ['payload', 'options'],
    ],
    ['nothing', undefined, ['payload', 'title']],
  ])('cannot be asked with %s', async (_what, payload, path) => {
    const { id } = await harness.build.company();
    const { body } = await ask(id, payload as object).expect(400);
    expect(body.details[0].path).toEqual(path);
  });

  it('must not link an issue that is unknown or belongs to another company', async () => {
    const { id } = await harness.build.company();
    const foreign = await harness.build.issue();
    const refused = await ask(id, { title: 'x', issueIds: [foreign.id] }).expect(403);
    expect(refused.body.code).toBe('cross_company');
    const unknown = { title: 'x', issueIds: ['01a20000-0000-7000-8000-000000000000'] };
    await ask(id, unknown).expect(422);
  });

  it.each([
    ['an option', { option: 'large' }, { option: 'large', note: null }],
    ['a note', { note: 'Neither' }, { option: null, note: 'Neither' }],
    ['both', { option: 'small', note: 'But soon' }, { option: 'small', note: 'But soon' }],
  ])(
    'can be answered with %s, which wakes the agent even if the agent is busy',
    async (_, body, decision) => {
      const { run, companyId, question } = await asked();
      const answered = await decide(question.id, 'answer', body).expect(200);
      expect(answered.body).toMatchObject({
        status: 'approved',
        decision,
        decisionNote: decision.note,
        decidedByUserId: 'local-board',
        decidedAt: expect.any(String),
      });
      const read = await harness.api.get(`/api/approvals/${question.id}`);
      expect(read.body).toEqual(answered.body);
      expect(await wakesOf(run)).toMatchObject([
        {
          source: 'approval',
          reason: 'question_answered',
          status: 'pending',
          payload: { approvalId: question.id, type: 'board_question', ...decision },
        },
      ]);
      const activity = await harness.api
        .get(`/api/companies/${companyId}/activity`)
        .query({ entityId: question.id });
      expect(activity.body[0]).toMatchObject({
        action: 'approval.answered',
        details: { option: decision.option },
      });
      await harness.build.endLiveRun(run.id);
      await harness.drain();
      const served = { agentId: run.agent.id, source: 'approval' };
      const runs = await harness.db.heartbeatRun.findMany({ where: served });
      expect(runs).toMatchObject([{ status: 'succeeded' }]);
    },
  );

  it('wake no agent when answered, if the board asked or the asking agent is terminated', async () => {
    const { run, question } = await asked();
    await harness.api.post(`/api/agents/${run.agent.id}/terminate`).expect(200);
    await decide(question.id, 'answer', { option: 'small' }).expect(200);
    await harness.drain();
    const runs = { agentId: run.agent.id, source: 'approval' };
    expect(await harness.db.heartbeatRun.count({ where: runs })).toBe(0);
    const { id } = await harness.build.company();
    const own = await ask(id, { title: 'Who knows?' }).expect(201);
    await decide(own.body.id, 'answer', { note: 'I do' }).expect(200);
    expect(await harness.db.agentWakeup.count({ where: { companyId: id } })).toBe(0);
  });

  it('cannot be answered with an unknown option, or with neither an option nor a note', async () => {
    const { question } = await asked();
    const { question: open } = await asked({ title: 'How so?' });
    const unknown = await decide(question.id, 'answer', { option: 'none' }).expect(422);
    expect(unknown.body).toMatchObject({
      code: 'semantic_error',
      details: { field: 'option', options: ['small', 'large'] },
    });
    await decide(open.id, 'answer', { option: 'yes' }).expect(422);
    for (const body of [{}, { note: '' }, { note: ' ' }, { option: 'A B' }, { decision: 'yes' }]) {
      await decide(question.id, 'answer', body).expect(400);
    }
    const strategy = await post(`/api/companies/${question.companyId}/approvals`, {
      type: 'approve_ceo_strategy',
    });
    const refused = await decide(strategy.body.id, 'answer', { note: 'x' }).expect(422);
    expect(refused.body.error).toContain('approve');
    expect((await harness.api.get(`/api/approvals/${question.id}`)).body).toEqual(question);
  });

  it('can be rejected with a note, but not approved, revised or resubmitted', async () => {
    const { run, question } = await asked();
    const before = await everything(harness);
    for (const verb of ['approve', 'request-revision', 'resubmit']) {
      const { body } = await decide(question.id, verb).expect(422);
      expect(body).toMatchObject({
        code: 'semantic_error',
        error: expect.stringContaining('answer'),
      });
    }
    expect(await everything(harness)).toEqual(before);
    const { body } = await decide(question.id, 'reject', { decisionNote: 'No time' }).expect(200);
    expect(body).toMatchObject({ status: 'rejected', decisionNote: 'No time', decision: null });
    expect(await wakesOf(run)).toMatchObject([
      {
        reason: 'approval_rejected',
        payload: { approvalId: question.id, decisionNote: 'No time' },
      },
    ]);
    const late = await decide(question.id, 'answer', { option: 'small' }).expect(409);
    expect(late.body).toMatchObject({ code: 'not_pending', details: { status: 'rejected' } });
  });

  it('can be answered by only one of twenty concurrent requests', async () => {
    const { run, question } = await asked();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 4 === 0
          ? decide(question.id, 'reject')
          : decide(question.id, 'answer', { option: n % 2 ? 'small' : 'large' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(await wakesOf(run)).toHaveLength(1);
  });

  it('can be answered only by people', async () => {
    const { run, question } = await asked();
    const refused = await decide(question.id, 'answer', { option: 'small' }, run).expect(403);
    expect(refused.body.code).toBe('board_only');
    const foreign = await harness.build.liveRun();
    const { companyId } = run.agent;
    await ask(companyId, QUESTION, foreign).expect(403);
    const named = { requestedByAgentId: foreign.agent.id };
    await ask(companyId, QUESTION, run, named).expect(403);
  });
});
