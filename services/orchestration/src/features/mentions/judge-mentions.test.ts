import { newId } from '@switchyard/db';
import type { CommentView } from '@switchyard/types';
import { unique } from '../../../test/builders';
import { useHarness } from '../../../test/harness';
import { NO_WAKE } from '../../state/wakeups/foresee-wake';

const started = { heartbeatRunId: null, wakeupId: expect.any(String) };

describe('POST /api/issues/:issueId/comments with mentions', () => {
  const harness = useHarness();

  const comment = async (issueId: string, body: string, authorization?: string) => {
    const request = harness.api.post(`/api/issues/${issueId}/comments`).send({ body });
    if (authorization) request.set('Authorization', authorization);
    const answer = await request.expect(201);
    return answer.body as CommentView;
  };
  const wakeups = (commentId: string) =>
    harness.db.agentWakeup.findMany({ where: { commentId }, orderBy: { createdAt: 'asc' } });
  const company = async () => {
    const { id } = await harness.build.company();
    const agent = (fields: object = {}) => harness.build.agent({ companyId: id, ...fields });
    return { id, agent, issue: await harness.build.issue({ companyId: id, status: 'todo' }) };
  };

  it('returns and stores the outcome of each mention, and stores a wake for each woken agent', async () => {
    const { agent, issue } = await company();
    const [idle, busy, waiting, paused] = [
      await agent({ name: 'Idle One' }),
      await agent({ name: 'Busy' }),
      await agent({ name: 'Waiting' }),
      await agent({ name: 'Paused' }),
    ];
    await harness.build.liveRun(busy);
    const { id: heartbeatRunId } = await harness.build.queuedRun(waiting.id);
    await harness.api.post(`/api/agents/${paused.id}/pause`).expect(200);

    const body = '@idle-one, @Busy and @waiting: see `@Paused`. @PAUSED too, @nobody.';
    const made = await comment(issue.id, body);
    const expected = [
      { agentId: idle.id, name: 'Idle One', outcome: 'woken', reason: null, ...started },
      { agentId: busy.id, name: 'Busy', outcome: 'woken', reason: null, ...started },
      {
        ...{ agentId: waiting.id, name: 'Waiting', outcome: 'coalesced', reason: null },
        ...{ ...started, heartbeatRunId },
      },
      {
        ...{ agentId: paused.id, name: 'Paused', outcome: 'skipped' },
        ...{ reason: 'agent_paused_manual', ...NO_WAKE },
      },
    ];
    expect(made.mentions).toEqual(expected);
    const list = await harness.api.get(`/api/issues/${issue.id}/comments`).expect(200);
    expect(list.body[0]).toEqual(made);
    const rows = await wakeups(made.id);
    expect(rows.map((row) => row.agentId).sort()).toEqual([idle.id, busy.id, waiting.id].sort());
    for (const row of rows) {
      const shape = { status: 'pending', source: 'mention', issueId: issue.id, hops: 0 };
      expect(row).toMatchObject(shape);
    }

    const again = await comment(issue.id, '@Idle One?');
    expect(again.mentions).toMatchObject([{ agentId: idle.id, outcome: 'coalesced' }]);
    await harness.drain();
    const runs = await harness.api.get(
      `/api/companies/${issue.companyId}/heartbeat-runs?agentId=${idle.id}`,
    );
    expect(runs.body).toHaveLength(1);
    expect(runs.body[0]).toMatchObject({
      status: 'succeeded',
      source: 'mention',
      issueId: issue.id,
      wakeReasons: [{ commentId: made.id }, { commentId: again.id }],
    });
    const [admitted] = await wakeups(again.id);
    expect(admitted).toMatchObject({ status: 'admitted', runId: runs.body[0].id });
  });

  it('finds agents even if PostgreSQL lowercases their names differently than JavaScript', async () => {
    const { agent, issue } = await company();
    const names = [
      'A\u0301dám',
      'İpek',
      'ßtraße',
      '_under',
      '-dash',
      'ﬁnal',
      '\u212Aelvin',
      '日本',
      '7 of 9',
    ];
    const agents = await Promise.all(names.map((name) => agent({ name })));
    await agent({ name: 'Unmentioned' });
    for (const { id, name } of agents) {
      for (const written of new Set([name, name.normalize('NFC'), name.toUpperCase()])) {
        const { mentions } = await comment(issue.id, `@${written}`);
        expect({ written, mentions }).toMatchObject({ written, mentions: [{ agentId: id }] });
      }
    }
    const { mentions } = await comment(issue.id, '@kelvin @strasse @SSTRASSE');
    expect(mentions.map((mention) => mention.name)).toEqual(['Kelvin', 'ßtraße', 'strasse']);
    expect(mentions[2]).toMatchObject({ outcome: 'unknown', near: ['ßtraße'] });
  });

  it('returns the same outcomes as an issue update with the same comment', async () => {
    const { agent, issue } = await company();
    const ada = await agent({ name: 'Ada' });
    const answer = await harness.api
      .patch(`/api/issues/${issue.id}`)
      .send({ priority: 'high', comment: 'raised, @ada' })
      .expect(200);
    const expected = [{ agentId: ada.id, name: 'Ada', outcome: 'woken', reason: null, ...started }];
    expect(answer.body.comment.mentions).toEqual(expected);
    expect(await wakeups(answer.body.comment.id)).toHaveLength(1);
  });

  it('never wakes the author of the comment', async () => {
    const { id, agent, issue } = await company();
    const run = await harness.build.liveRun({ companyId: id });
    const withKey = await agent();
    const self = { outcome: 'skipped', reason: 'self' };
    const mine = await comment(issue.id, `@${run.agent.name} notes`, run.authorization);
    expect(mine.mentions).toMatchObject([{ agentId: run.agent.id, ...self }]);
    const key = await harness.build.apiKey(withKey.id);
    const keyed = await comment(issue.id, `@${withKey.name} @${run.agent.name}`, key);
    expect(keyed.mentions).toMatchObject([
      { agentId: withKey.id, ...self },
      { agentId: run.agent.id, outcome: 'woken' },
    ]);
    expect(await wakeups(mine.id)).toEqual([]);
    expect(await wakeups(keyed.id)).toMatchObject([{ agentId: run.agent.id }]);
  });

  it('reports ambiguous names, agents that are not approved, and a paused company', async () => {
    const { id, agent, issue } = await company();
    await agent({ name: 'Max Power' });
    await agent({ name: 'max-power' });
    const draft = await agent({ name: 'Draft' });
    await harness.db.agent.update({
      where: { id: draft.id },
      data: { status: 'pending_approval' },
    });
    const gone = await agent({ name: 'Gone' });
    await harness.api.post(`/api/agents/${gone.id}/terminate`).expect(200);
    const made = await comment(issue.id, '@MaxPower @Draft @Gone');
    expect(made.mentions).toEqual([
      { agentId: null, name: 'maxpower', outcome: 'skipped', reason: 'ambiguous', ...NO_WAKE },
      {
        ...{ agentId: draft.id, name: 'Draft', outcome: 'skipped' },
        ...{ reason: 'agent_pending_approval', ...NO_WAKE },
      },
    ]);
    const heir = await agent({ name: 'Gone' });
    await harness.api.patch(`/api/companies/${id}`).send({ status: 'paused' }).expect(200);
    const later = await comment(issue.id, '@Gone');
    expect(later.mentions).toMatchObject([
      { agentId: heir.id, outcome: 'skipped', reason: 'company_paused' },
    ]);
    expect(await wakeups(made.id)).toEqual([]);
    expect(await wakeups(later.id)).toEqual([]);
  });

  it('wakes no agent of another company', async () => {
    const name = unique('Twin');
    const [ours, theirs] = [await company(), await company()];
    const stranger = await theirs.agent({ name });
    const nobody = await comment(ours.issue.id, `@${name}`);
    expect(nobody.mentions).toEqual([]);
    const twin = await ours.agent({ name });
    const made = await comment(ours.issue.id, `@${name}`);
    expect(made.mentions).toMatchObject([{ agentId: twin.id, outcome: 'woken' }]);
    expect(await harness.db.agentWakeup.count({ where: { agentId: stranger.id } })).toBe(0);
  });

  it('reports a misspelt name as unknown, with similar names', async () => {
    const { agent, issue } = await company();
    const ada = await agent({ name: 'Ada' });
    await agent({ name: 'Grace Hopper' });
    const made = await comment(issue.id, '@Adda, @grace and @Ada: look. @ADDA’s turn, @board2');
    const unknown = { agentId: null, outcome: 'unknown', reason: 'unknown_agent', ...NO_WAKE };
    expect(made.mentions).toEqual([
      { agentId: ada.id, name: 'Ada', outcome: 'woken', reason: null, ...started },
      { ...unknown, name: 'adda', near: ['Ada'] },
      { ...unknown, name: 'grace', near: ['Grace Hopper'] },
    ]);
    const { body: list } = await harness.api.get(`/api/issues/${issue.id}/comments`).expect(200);
    expect(list[0]).toEqual(made);
    expect(await wakeups(made.id)).toMatchObject([{ agentId: ada.id }]);
  });

  it.each([
    '@Override @types @Injectable @nobody',
    'adda@example.org and me@adda',
    '`@Adda` and\n\n```\n@Adda\n```',
    '@Adda() and @adda/core, @adda.com, @@adda',
    'https://example.org/@adda [@Adda](https://example.org)',
    `${'x\n'.repeat(10_001)}@Adda`,
  ])('returns no mention for text that names no agent (case %#)', async (body) => {
    const { agent, issue } = await company();
    await agent({ name: 'Ada' });
    expect((await comment(issue.id, body)).mentions).toEqual([]);
  });

  it('does not suggest agents of other companies or terminated agents', async () => {
    const [ours, theirs] = [await company(), await company()];
    await theirs.agent({ name: 'Ada' });
    const gone = await ours.agent({ name: 'Adah' });
    await harness.api.post(`/api/agents/${gone.id}/terminate`).expect(200);
    expect((await comment(ours.issue.id, '@Adda')).mentions).toEqual([]);
  });

  it('reports an ended issue in the response and in the run, but still wakes the agent', async () => {
    const { id: companyId, agent } = await company();
    const ada = await agent({ name: 'Ada' });
    const issue = await harness.build.issue({ companyId, status: 'todo' });
    await harness.api.patch(`/api/issues/${issue.id}`).send({ status: 'cancelled' }).expect(200);
    const made = await comment(issue.id, '@ada again, please');
    const reason = 'issue_cancelled';
    expect(made.mentions).toEqual([
      { agentId: ada.id, name: 'Ada', outcome: 'woken', reason, ...started },
    ]);
    const again = await comment(issue.id, '@ada');
    expect(again.mentions).toMatchObject([{ outcome: 'coalesced', reason }]);
    await harness.drain();
    const { body: runs } = await harness.api.get(
      `/api/companies/${companyId}/heartbeat-runs?agentId=${ada.id}`,
    );
    const { body: run } = await harness.api.get(`/api/heartbeat-runs/${runs[0].id}`).expect(200);
    const wake = { source: 'mention', issueId: issue.id, issueStatus: 'cancelled' };
    expect(run.wakes).toMatchObject([wake, wake]);
  });

  it('returns a mention for a link to an agent of the company, whatever the text of the link', async () => {
    const { id, agent, issue } = await company();
    const [ada, grace] = [await agent({ name: 'Ada' }), await agent({ name: 'Grace' })];
    const run = await harness.build.liveRun({ companyId: id });
    const body =
      `[@Boss](agent://${ada.id}) and [**@Grace**](AGENT://${grace.id.toUpperCase()}/), again @ada, ` +
      `[@me](agent://${run.agent.id})`;
    const made = await comment(issue.id, body, run.authorization);
    expect(made.mentions).toEqual([
      { agentId: ada.id, name: 'Ada', outcome: 'woken', reason: null, ...started },
      { agentId: grace.id, name: 'Grace', outcome: 'woken', reason: null, ...started },
      {
        ...{ agentId: run.agent.id, name: run.agent.name, outcome: 'skipped' },
        ...{ reason: 'self', ...NO_WAKE },
      },
    ]);
    expect(await wakeups(made.id)).toHaveLength(2);
    await harness.api.post(`/api/agents/${ada.id}/terminate`).expect(200);
    const later = await comment(issue.id, `[@Ada](agent://${ada.id})`);
    expect(later.mentions).toEqual([
      {
        ...{ agentId: ada.id, name: 'Ada', outcome: 'skipped' },
        ...{ reason: 'agent_terminated', ...NO_WAKE },
      },
    ]);
  });

  it('returns a link to an unknown agent as a skipped mention', async () => {
    const [ours, theirs] = [await company(), await company()];
    const stranger = await theirs.agent();
    for (const id of [stranger.id, newId(), 'boss', '%00', `${stranger.id}0`]) {
      const made = await comment(ours.issue.id, `[@Boss](agent://${id})`);
      expect(made.mentions).toEqual([
        {
          ...{ agentId: null, name: 'Boss', outcome: 'skipped' },
          ...{ reason: 'unknown_agent', ...NO_WAKE },
        },
      ]);
    }
    expect(await harness.db.agentWakeup.count({ where: { agentId: stranger.id } })).toBe(0);
  });

  it('ignores links in code, images, escaped links and links with another URL', async () => {
    const { agent, issue } = await company();
    const { id } = await agent({ name: 'Ada' });
    for (const body of [
      `[Ada](agent://${id}) @`,
      `[@Ada](agents://${id})`,
      `[@Ada](https://example.org/agent://${id})`,
      `[@Ada](agent://${id}/config)`,
      `\`[@Ada](agent://${id})\``,
      `![@Ada](agent://${id})`,
      `<agent://${id}> @`,
      `\\[@\u2060Ada](agent://${id})`,
    ]) {
      expect({ body, mentions: (await comment(issue.id, body)).mentions }).toEqual({
        body,
        mentions: [],
      });
    }
  });

  it('returns links beyond the parse limit as skipped mentions', async () => {
    const { agent, issue } = await company();
    const ada = await agent({ name: 'Ada' });
    const beyond = `${'x\n'.repeat(10_001)}[@Boss](agent://${ada.id})`;
    const { mentions } = await comment(issue.id, beyond);
    expect(mentions).toEqual([
      {
        ...{ agentId: ada.id, name: 'Ada', outcome: 'skipped' },
        ...{ reason: 'beyond_read_limit', ...NO_WAKE },
      },
    ]);
    const both = await comment(issue.id, `@ada\n${beyond}`);
    expect(both.mentions).toMatchObject([{ agentId: ada.id, outcome: 'woken' }]);
  });

  it('wakes an agent only once if the comment is sent repeatedly with the same idempotency key', async () => {
    const { agent, issue } = await company();
    const ada = await agent({ name: 'Ada' });
    const send = () =>
      harness.api
        .post(`/api/issues/${issue.id}/comments`)
        .set('Idempotency-Key', 'the-same')
        .send({ body: '@ada' })
        .expect(201);
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(await harness.db.agentWakeup.count({ where: { agentId: ada.id } })).toBe(1);
  });
});
