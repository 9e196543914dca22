import type { Client } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { unique } from '../../../test/builders';
import { useHarness } from '../../../test/harness';
import { mcpClient, REVISIONS, type Revision, useTool } from '../../../test/mcp-client';

const MAX_ANSWER_TOKENS = 300;

describe('POST /mcp', () => {
  const harness = useHarness();

  const connected = async (
    authorization: string | null,
    revision: Revision,
    work: (
      call: (name: string, args?: Record<string, unknown>) => ReturnType<typeof useTool>,
      client: Client,
    ) => Promise<void>,
  ) => {
    const client = await mcpClient(harness.url, authorization, revision);
    try {
      await work(async (name, args) => {
        const answer = await useTool(client, name, args);
        expect({ name, tokens: countTokens(answer.text) <= MAX_ANSWER_TOKENS }).toEqual({
          name,
          tokens: true,
        });
        return answer;
      }, client);
    } finally {
      await client.close();
    }
  };

  it.each(REVISIONS)(
    'lets an agent finish an issue using only tools, in protocol revision %s',
    async (revision) => {
      const { id: companyId } = await harness.build.company();
      const colleague = await harness.build.agent({ companyId, name: unique('Grace') });
      const run = await harness.build.liveRun({ companyId });
      const issue = await harness.build.issue({
        companyId,
        status: 'todo',
        assigneeAgentId: run.agent.id,
        description: 'Write the parser. '.repeat(600),
      });
      await connected(run.authorization, revision, async (call, client) => {
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toHaveLength(9);
        expect((await call('my_work')).text).toContain(`read ${issue.identifier}`);
        const claimed = await call('claim', { issue: issue.identifier });
        expect(claimed.fields).toMatchObject({ id: issue.identifier, replayed: false });
        expect((await call('read', { issue: issue.identifier })).text).toContain(
          'part description',
        );
        const whole = await useTool(client, 'read', {
          issue: issue.identifier,
          part: 'description',
        });
        expect(whole.text).toContain('continue with from 8000');
        const text = `Done. @${colleague.name} please review`;
        const said = await call('comment', { issue: issue.identifier, text });
        expect(said.text).toContain(`@${colleague.name}: woken`);
        const asked = await call('ask_board', {
          question: 'Which plan?',
          options: [{ key: 'a', label: 'Small' }],
          recommended: 'a',
          issue: issue.identifier,
        });
        expect(asked.fields).toMatchObject({
          next: `hand_in ${issue.identifier} blocked, and end`,
        });
        expect(
          (
            await call('report_cost', {
              provider: 'acme',
              model: 'm',
              input_tokens: 10,
              output_tokens: 5,
              cost_cents: 3,
              issue: issue.identifier,
            })
          ).text,
        ).toContain('3 cents');
        const child = await call('create_issue', { title: 'Docs', parent: issue.identifier });
        expect(child.isRefused).toBe(false);
        expect((await call('find', { words: 'parser' })).isRefused).toBe(false);
        await call('hand_in', { issue: issue.identifier, status: 'in_review', comment: 'Ready' });
        expect((await call('hand_in', { issue: issue.identifier, status: 'done' })).text).toContain(
          'is done',
        );
      });
      const { body } = await harness.api.get(`/api/issues/${issue.id}`).expect(200);
      expect(body).toMatchObject({ status: 'done', children: { total: 1 } });
      const events = await harness.api.get(`/api/companies/${companyId}/cost-events`).expect(200);
      expect(events.body).toMatchObject([
        { costCents: 3, source: 'agent', runId: run.id, issueId: issue.id },
      ]);
    },
  );

  it.each(REVISIONS)(
    'lets the board direct a company using only tools, in protocol revision %s',
    async (revision) => {
      const company = await harness.build.company();
      const companyId = company.id;
      const agent = await harness.build.agent({ companyId, name: unique('Ada') });
      const routine = await harness.build.routine({
        companyId,
        assigneeAgentId: agent.id,
        title: unique('Report'),
      });
      const run = await harness.build.liveRun({ companyId });
      const { body: question } = await harness.api
        .post(`/api/companies/${companyId}/approvals`)
        .set('Authorization', run.authorization)
        .send({
          type: 'board_question',
          payload: { title: 'Which?', options: [{ key: 'a', label: 'A' }] },
        })
        .expect(201);
      const named = { company: company.issuePrefix };
      await connected(null, revision, async (call) => {
        const waiting = await call('needs_me', named);
        expect(waiting.text).toContain(question.id);
        expect(waiting.text).toContain('options: a');
        const decided = await call('decide', { id: question.id, decision: 'answer', option: 'a' });
        expect(decided.text).toContain('Answered');
        const made = await call('create', { title: 'Ship it', ...named });
        const issue = String(made.fields?.id);
        expect((await call('assign', { issue, assignee: agent.name })).isRefused).toBe(false);
        expect(
          (await call('pause_resume', { agent: agent.name, to: 'pause', ...named })).text,
        ).toContain('paused');
        expect(
          (await call('pause_resume', { agent: agent.name, to: 'resume', ...named })).text,
        ).toContain('idle');
        expect((await call('budget', { agent: agent.name, cents: 500, ...named })).text).toContain(
          '0 of 500 cents',
        );
        expect((await call('runs', { ...named })).text).toContain('running');
        expect((await call('runs', { run: run.id })).text).toContain('running');
        const queued = await harness.build.queuedRun(agent.id);
        expect((await call('runs', { run: queued.id })).text).toContain('Waits for: worker');
        expect((await call('fire', { routine: routine.title, ...named })).isRefused).toBe(false);
        expect((await call('find', { words: 'ship', ...named })).text).toContain(issue);
        expect((await call('needs_me')).text).toMatch(/^validation_error: /);
      });
      expect(
        await harness.db.approval.findUniqueOrThrow({ where: { id: question.id } }),
      ).toMatchObject({
        status: 'approved',
      });
    },
  );

  it('executes a write once if it is repeated within ten minutes, and marks the second response as replayed', async () => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId });
    const args = { issue: issue.identifier, text: 'Once' };
    await connected(run.authorization, '2026-07-28', async (call) => {
      const first = await call('comment', args);
      const second = await call('comment', args);
      expect(second.fields).toEqual({ ...first.fields, replayed: true });
      expect(second.text).toContain('so nothing changed');
      const named = await call('comment', { ...args, request_key: 'again' });
      expect(named.fields).toMatchObject({ replayed: false });
      const moved = await call('hand_in', {
        issue: issue.identifier,
        status: 'cancelled',
        comment: 'No',
      });
      const again = await call('hand_in', {
        issue: issue.identifier,
        status: 'cancelled',
        comment: 'No',
      });
      expect(again.fields).toEqual({ ...moved.fields, replayed: true });
    });
    expect(await harness.db.issueComment.count({ where: { issueId: issue.id } })).toBe(3);
    await harness.asOwner(
      `UPDATE idempotency_record SET created_at = now() - interval '11 minutes' WHERE key LIKE 'mcp-%'`,
    );
    await connected(run.authorization, '2026-07-28', async (call) => {
      expect((await call('comment', args)).fields).toMatchObject({ replayed: false });
    });
  });

  it('returns errors as text that begins with the error code, without fields that break the output schema', async () => {
    const run = await harness.build.liveRun();
    const elsewhere = await harness.build.issue();
    await connected(run.authorization, '2025-11-25', async (call, client) => {
      const own = await harness.build.issue({ companyId: run.agent.companyId });
      const refusals = [
        ['claim', { issue: elsewhere.id }, 'cross_company'],
        ['claim', { issue: elsewhere.identifier }, 'not_found'],
        ['claim', { issue: 'x', more: 1 }, 'validation_error'],
        ['needs_me', {}, 'not_found'],
        ['hand_in', { issue: own.id, status: 'done' }, 'invalid_transition'],
      ] as const;
      for (const [name, args, code] of refusals) {
        const { text, ...refused } = await call(name, args);
        expect(refused).toEqual({ fields: undefined, isRefused: true });
        expect(text).toMatch(new RegExp(`^${code}: `));
      }
      expect((await call('claim', {})).text).toContain('issue is required');
      expect((await client.listTools()).tools).toHaveLength(9);
    });
  });
});
