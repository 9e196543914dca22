import { newId } from '@switchyard/db';
import type { AgentDetailView, ApprovalView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('an adapter that an agent proposes for a hire', () => {
  const harness = useHarness();
  const proposal = {
    adapterType: 'process',
    adapterConfig: { command: 'node', args: ['work.js'], env: { LEVEL: 'shown in full' } },
  };

  const asker = async () => {
    const secret = { value: 'a-value-of-the-company' };
    const agent = await harness.build.agent();
    const given = await harness.build.secret({ companyId: agent.companyId, ...secret });
    const config = {
      command: 'true',
      env: { TOKEN: { type: 'secret_ref', secretId: given.id } },
    };
    await harness.api
      .patch(`/api/agents/${agent.id}`)
      .send({ adapterType: 'process', adapterConfig: config })
      .expect(200);
    const run = await harness.build.liveRun(agent);
    const hire = (body: object) =>
      harness.api
        .post(`/api/companies/${agent.companyId}/agent-hires`)
        .set('Authorization', run.authorization)
        .send({ name: `Hand ${newId()}`, ...body });
    return { agent, given, hire, authorization: run.authorization };
  };
  const hired = async (proposedAdapter: object = proposal) => {
    const from = await asker();
    const { body } = await from.hire({ proposedAdapter }).expect(201);
    return {
      ...from,
      draft: body.agent as AgentDetailView,
      approval: body.approval as ApprovalView,
    };
  };
  const approve = ({ id }: ApprovalView, body: object = {}) =>
    harness.api.post(`/api/approvals/${id}/approve`).send(body);
  const stored = async ({ id }: { id: string }) =>
    harness.db.agent.findUniqueOrThrow({ where: { id } });
  const withEnv = (env: object) => ({
    adapterType: 'process',
    adapterConfig: { command: 'node', env },
  });
  const naming = (secretId: string) => withEnv({ TOKEN: { type: 'secret_ref', secretId } });

  it('appears in the inbox with its command and with the manager and budget of the hire', async () => {
    const { agent, approval } = await hired();
    const { body: items } = await harness.api.get(`/api/companies/${agent.companyId}/inbox`);
    const item = items.find(({ approvalId }: { approvalId: string }) => approvalId === approval.id);
    const { name } = approval.payload as { name: string };
    expect(item.reason).toBe(
      `${agent.name} proposes ${name} (engineer), reports to the board, runs \`node ["work.js"]\`, no budget limit`,
    );
    expect(item.actions[0].fields).toMatchObject([
      { name: 'budgetMonthlyCents', type: 'cents', required: false },
      { name: 'decisionNote' },
    ]);
  });

  it('can be approved together with a budget', async () => {
    const { approval, draft } = await hired();
    await approve(approval, { budgetMonthlyCents: -1 }).expect(400);
    await approve(approval, { budgetMonthlyCents: 5_000 }).expect(200);
    expect(await stored(draft)).toMatchObject({
      ...proposal,
      status: 'idle',
      budgetMonthlyCents: 5_000n,
    });
    const path = `/api/companies/${draft.companyId}/approvals`;
    const asked = { type: 'approve_ceo_strategy', payload: { summary: 'Grow' } };
    const { body: other } = await harness.api.post(path).send(asked).expect(201);
    const { body } = await approve(other, { budgetMonthlyCents: 1 }).expect(400);
    expect(body.details).toMatchObject([{ path: ['budgetMonthlyCents'] }]);
    await approve(other).expect(200);
  });

  it('appears in full to the board, and is applied to the draft on approval', async () => {
    const { approval, draft } = await hired();
    expect(draft).toMatchObject({ adapterConfig: {}, status: 'pending_approval' });
    const { body } = await harness.api.get(`/api/approvals/${approval.id}`).expect(200);
    expect(body.payload.proposedAdapter).toEqual(proposal);
    await approve(approval).expect(200);
    expect(await stored(draft)).toMatchObject({ ...proposal, status: 'idle' });
    const revisions = `/api/agents/${draft.id}/config-revisions`;
    expect((await harness.api.get(revisions).expect(200)).body[0]).toMatchObject({
      changedKeys: ['adapterConfig'],
      createdByUserId: 'local-board',
    });
    const activity = `/api/companies/${draft.companyId}/activity?entityId=${draft.id}`;
    expect((await harness.api.get(activity).expect(200)).body).toContainEqual(
      expect.objectContaining({ action: 'agent.updated', actorId: 'local-board' }),
    );
  });

  it('may have a readable type name, which is stored unchanged', async () => {
    const named = { adapterType: 'claude_code', adapterConfig: { model: 'sonnet' } };
    const { approval, draft } = await hired(named);
    await approve(approval).expect(200);
    expect(await stored(draft)).toMatchObject(named);
    const { approval: other, draft: second } = await hired();
    await approve(other, { adapter: { ...named, adapterType: 'codex' } }).expect(200);
    expect(await stored(second)).toMatchObject({ ...named, adapterType: 'codex' });
    const misnamed = await hired();
    const refused = await approve(misnamed.approval, { adapter: { adapterType: 'claude' } });
    expect(refused.status).toBe(400);
    expect(refused.body.details[0].message).toContain('claude_code = model_a_local');
  });

  it('must be valid, or nothing is stored', async () => {
    const { hire, agent } = await asker();
    const other = await harness.build.secret({ companyId: agent.companyId });
    const foreign = await harness.build.secret();
    const before = await everything(harness);
    const refusals: [object, number, string, string][] = [
      [{ adapterType: 'nothing' }, 400, 'validation_error', 'proposedAdapter.adapterType'],
      [
        { adapterType: 'process' },
        400,
        'validation_error',
        'proposedAdapter.adapterConfig.command',
      ],
      [withEnv({ A: '***' }), 400, 'validation_error', 'adapterConfig.env.A'],
      [withEnv({ SERVICE_X: 'x' }), 400, 'validation_error', 'proposedAdapter.adapterConfig.env'],
      [naming(other.id), 403, 'board_only', 'proposedAdapter.adapterConfig.env.TOKEN'],
      [naming(foreign.id), 403, 'board_only', 'proposedAdapter.adapterConfig.env.TOKEN'],
      [naming(newId()), 403, 'board_only', 'proposedAdapter.adapterConfig.env.TOKEN'],
    ];
    for (const [proposedAdapter, status, code, field] of refusals) {
      const { body } = await hire({ proposedAdapter }).expect(status);
      expect(body.code).toBe(code);
      expect(JSON.stringify(body.details).replaceAll('","', '.')).toContain(field);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('may refer only to secrets that the proposing agent itself receives', async () => {
    const { given, hire } = await asker();
    const proposedAdapter = naming(given.id.toUpperCase());
    const { body } = await hire({ proposedAdapter }).expect(201);
    expect(body.approval.payload.proposedAdapter).toEqual(proposedAdapter);
    await approve(body.approval).expect(200);
    expect(await stored(body.agent)).toMatchObject(proposedAdapter);
  });

  it('can be replaced or removed by the board on approval', async () => {
    const chosen = { adapterType: 'http', adapterConfig: { url: 'http://localhost:1/' } };
    const one = await hired();
    await approve(one.approval, { adapter: chosen, decisionNote: 'rather this' }).expect(200);
    expect(await stored(one.draft)).toMatchObject({ ...chosen, status: 'idle' });
    const other = await hired();
    await approve(other.approval, { adapter: null }).expect(200);
    expect(await stored(other.draft)).toMatchObject({ adapterConfig: {}, status: 'idle' });
  });

  it('does not replace an adapter that the board has already set', async () => {
    const { approval, draft } = await hired();
    const settled = { command: 'settled' };
    await harness.api.patch(`/api/agents/${draft.id}`).send({ adapterConfig: settled }).expect(200);
    await approve(approval).expect(200);
    expect((await stored(draft)).adapterConfig).toEqual(settled);
  });

  it('leaves the hire pending if it has become invalid, and the board can then choose another adapter', async () => {
    const { agent, given, hire } = await asker();
    const { body } = await hire({ proposedAdapter: naming(given.id) }).expect(201);
    await harness.api
      .patch(`/api/agents/${agent.id}`)
      .send({ adapterConfig: { command: 'true' } })
      .expect(200);
    await harness.db.heartbeatRun.updateMany({
      where: { agentId: agent.id },
      data: { status: 'succeeded', finishedAt: new Date() },
    });
    await harness.api.delete(`/api/secrets/${given.id}`).expect(204);
    const refused = await approve(body.approval).expect(422);
    expect(refused.body).toMatchObject({
      code: 'unknown_reference',
      details: { field: 'adapterConfig.env.TOKEN' },
    });
    expect(await stored(body.agent)).toMatchObject({ status: 'pending_approval' });
    await approve(body.approval, { adapter: proposal }).expect(200);
    expect(await stored(body.agent)).toMatchObject({ ...proposal, status: 'idle' });
  });

  it('changes with each resubmission, and disappears if a resubmission omits it', async () => {
    const { approval, draft, authorization } = await hired();
    const path = `/api/approvals/${approval.id}`;
    const resubmit = async (payload: object) => {
      await harness.api.post(`${path}/request-revision`).send({}).expect(200);
      return harness.api
        .post(`${path}/resubmit`)
        .set('Authorization', authorization)
        .send({ payload });
    };
    const bad = await resubmit({ proposedAdapter: { adapterType: 'nothing' } });
    expect(bad.status).toBe(400);
    const again = await harness.api
      .post(`${path}/resubmit`)
      .set('Authorization', authorization)
      .send({ payload: { proposedAdapter: withEnv({ LEVEL: 'second' }) } })
      .expect(200);
    expect(again.body.payload.proposedAdapter).toEqual(withEnv({ LEVEL: 'second' }));
    expect((await resubmit({ title: 'Without an adapter' })).status).toBe(200);
    await approve(approval).expect(200);
    expect(await stored(draft)).toMatchObject({ adapterConfig: {}, title: 'Without an adapter' });
  });

  it('takes effect only once if several approvals are concurrent', async () => {
    const { approval, draft } = await hired();
    const answers = await Promise.all([1, 2, 3].map(async () => (await approve(approval)).status));
    expect(answers.sort()).toEqual([200, 409, 409]);
    expect(await stored(draft)).toMatchObject(proposal);
    const { body } = await harness.api.get(`/api/agents/${draft.id}/config-revisions`).expect(200);
    expect(body).toHaveLength(2);
  });

  it('can be sent only by agents, and only for hires', async () => {
    const { agent } = await asker();
    const at = `/api/companies/${agent.companyId}`;
    const byBoard = await harness.api
      .post(`${at}/agent-hires`)
      .send({ name: 'By the board', proposedAdapter: proposal })
      .expect(400);
    expect(byBoard.body.details[0].path).toEqual(['proposedAdapter']);
    const { body } = await harness.api
      .post(`${at}/approvals`)
      .send({ type: 'approve_ceo_strategy', payload: { proposedAdapter: proposal } })
      .expect(201);
    const refused = await approve(body, { adapter: proposal }).expect(400);
    expect(refused.body.details[0].path).toEqual(['adapter']);
    await approve(body).expect(200);
  });
});
