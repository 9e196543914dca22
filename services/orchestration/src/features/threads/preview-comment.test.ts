import type { MentionOutcome } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { NO_WAKE } from '../../state/wakeups/foresee-wake';

describe('POST /api/issues/{issueId}/comments/preview', () => {
  const harness = useHarness();
  const preview = (issueId: string, body: string, wake?: boolean) =>
    harness.api.post(`/api/issues/${issueId}/comments/preview`).send({ body, wake });

  it('returns the wakes that the comment would cause, and writes nothing', async () => {
    const { build, api } = harness;
    const { id: companyId } = await build.company();
    const ada = await build.agent({ companyId, name: 'Ada' });
    const busy = await build.agent({ companyId, name: 'Busy' });
    await build.queuedRun(busy.id);
    const paused = await build.agent({ companyId, name: 'Paula' });
    await api.post(`/api/agents/${paused.id}/pause`).expect(200);
    const issue = await build.issue({ companyId, assigneeAgentId: ada.id });
    const text = '@Ada and @Busy and @Paula and @Adda and @board `@Ada`';
    const before = await everything(harness);
    const foreseen = (await preview(issue.id, text).expect(200)).body;
    expect(await everything(harness)).toEqual(before);
    const made = await api.post(`/api/issues/${issue.id}/comments`).send({ body: text });
    const withoutWakes = made.body.mentions.map(
      (mention: MentionOutcome): MentionOutcome => ({ ...mention, wakeupId: null }),
    );
    expect(foreseen.mentions).toEqual(withoutWakes);
    expect(foreseen.mentions.map((one: { outcome: string }) => one.outcome).sort()).toEqual(
      ['woken', 'coalesced', 'skipped', 'unknown', 'skipped'].sort(),
    );
    expect(foreseen.assignee).toEqual({
      agentId: ada.id,
      name: 'Ada',
      wakes: true,
      reason: null,
    });
  });

  it('reports a wake of the assignee, except with wake: false or on a finished issue', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const ada = await build.agent({ companyId, name: 'Ada' });
    const issue = await build.issue({ companyId, assigneeAgentId: ada.id });
    const { body } = await preview(issue.id, 'Looks good').expect(200);
    const assignee = { agentId: ada.id, name: 'Ada' };
    const silent = { mentions: [], woken: [], settlesMention: false };
    expect(body).toEqual({
      ...silent,
      woken: [{ ...assignee, outcome: 'woken', reason: null, ...NO_WAKE }],
      assignee: { ...assignee, wakes: true, reason: null },
    });
    const quiet = await preview(issue.id, 'Looks good', false).expect(200);
    const isNotMentioned = { ...assignee, wakes: false, reason: 'not_mentioned' };
    expect(quiet.body).toEqual({ ...silent, assignee: isNotMentioned });
    const done = await build.issue({ companyId, assigneeAgentId: ada.id, status: 'done' });
    const ended = await preview(done.id, 'Looks good').expect(200);
    const hasEnded = { ...assignee, wakes: false, reason: 'issue_done' };
    expect(ended.body).toEqual({ ...silent, assignee: hasEnded });
    const free = await build.issue({ companyId });
    expect((await preview(free.id, 'Hello').expect(200)).body.assignee).toBeNull();
  });

  it('reports that a person’s comment ends a board mention, and that an agent’s comment does not', async () => {
    const { build, api } = harness;
    const run = await build.liveRun();
    const issue = await build.issue({ companyId: run.agent.companyId });
    await api
      .post(`/api/issues/${issue.id}/comments`)
      .set('Authorization', run.authorization)
      .send({ body: '@board which one?' })
      .expect(201);
    expect((await preview(issue.id, 'This one').expect(200)).body.settlesMention).toBe(true);
    const byAgent = await preview(issue.id, 'Hm').set('Authorization', run.authorization);
    expect(byAgent.body).toMatchObject({ settlesMention: false });
  });

  it('reports the hop limit in the same way as the request that creates the comment', async () => {
    const { build, api, context } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const other = await build.agent({ companyId, name: 'Other' });
    const issue = await build.issue({ companyId });
    await context.db.pool.query('UPDATE heartbeat_run SET hops = $2 WHERE id = $1', [
      run.id,
      context.config.mentionHopCap,
    ]);
    const asAgent = (path: string) =>
      api.post(path).set('Authorization', run.authorization).send({ body: '@Other go on' });
    const foreseen = await asAgent(`/api/issues/${issue.id}/comments/preview`).expect(200);
    expect(foreseen.body.mentions).toEqual([
      { agentId: other.id, name: 'Other', outcome: 'skipped', reason: 'hop_limit', ...NO_WAKE },
    ]);
    const made = await asAgent(`/api/issues/${issue.id}/comments`).expect(201);
    expect(made.body.mentions).toEqual(foreseen.body.mentions);
  });

  it.each([{}, { body: '' }, { body: ' ' }, { body: 1 }, { body: 'x', more: 1 }, { body: '\0' }])(
    'rejects %j with 400, as does the request that creates the comment',
    async (body) => {
      const { id } = await harness.build.issue();
      await harness.api.post(`/api/issues/${id}/comments/preview`).send(body).expect(400);
    },
  );
});
