import type { Client } from '@modelcontextprotocol/client';
import { useHarness } from '../../../test/harness';
import { mcpClient, useTool } from '../../../test/mcp-client';

describe('repeated tool calls', () => {
  const harness = useHarness();
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  const connect = async (authorization: string | null) => {
    const client = await mcpClient(harness.url, authorization, '2026-07-28');
    clients.push(client);
    return async (name: string, args: Record<string, unknown>) => {
      const answer = await useTool(client, name, args);
      expect({ text: answer.text, isRefused: answer.isRefused }).toMatchObject({
        isRefused: false,
      });
      return answer;
    };
  };
  const statusOf = async (id: string) =>
    (await harness.api.get(`/api/issues/${id}`).expect(200)).body.status;
  const commentsOn = async (id: string) =>
    (await harness.api.get(`/api/issues/${id}/comments`).expect(200)).body.map(
      ({ body }: { body: string }) => body,
    );

  it('record each of several equal costs, but only one cost per request_key', async () => {
    const run = await harness.build.liveRun();
    const call = await connect(run.authorization);
    const cost = { provider: 'acme', model: 'm', input_tokens: 1, output_tokens: 1, cost_cents: 3 };
    for (let n = 0; n < 3; n++) {
      expect((await call('report_cost', cost)).fields).toMatchObject({ replayed: false });
    }
    const keyed = { ...cost, request_key: 'fourth' };
    await call('report_cost', keyed);
    expect((await call('report_cost', keyed)).fields).toMatchObject({ replayed: true });
    expect(await harness.db.costEvent.count({ where: { runId: run.id } })).toBe(4);
  });

  it('complete a reopened issue again, and reopen a completed issue again', async () => {
    const { id } = await harness.build.issue({ status: 'todo' });
    const call = await connect(null);
    for (let round = 0; round < 3; round++) {
      for (const [decision, status] of [
        ['complete', 'done'],
        ['reopen', 'todo'],
      ] as const) {
        const args = { id, decision, note: `${decision} it` };
        expect((await call('decide', args)).fields).toMatchObject({ replayed: false });
        expect(await statusOf(id)).toBe(status);
        expect((await call('decide', args)).fields).toMatchObject({ replayed: true });
      }
    }
    expect(await commentsOn(id)).toHaveLength(6);
  });

  it('request changes to an approval again after its resubmission', async () => {
    const run = await harness.build.liveRun();
    const approval = (path: string, body: object) =>
      harness.api.post(path).set('Authorization', run.authorization).send(body);
    const { body: asked } = await approval(`/api/companies/${run.agent.companyId}/approvals`, {
      type: 'approve_ceo_strategy',
      payload: { plan: 'Grow' },
    }).expect(201);
    const call = await connect(null);
    const args = { id: asked.id, decision: 'revise', note: 'Say more' };
    for (let round = 0; round < 2; round++) {
      expect((await call('decide', args)).fields).toMatchObject({ replayed: false });
      expect((await call('decide', args)).fields).toMatchObject({ replayed: true });
      await approval(`/api/approvals/${asked.id}/resubmit`, {}).expect(200);
    }
  });

  it('execute hand_in again for an issue after a second claim', async () => {
    const run = await harness.build.liveRun();
    const { id } = await harness.build.issue({ companyId: run.agent.companyId, status: 'todo' });
    const call = await connect(run.authorization);
    const blocked = { issue: id, status: 'blocked', comment: 'The board must pay' };
    for (let round = 0; round < 2; round++) {
      await call('claim', { issue: id });
      expect((await call('hand_in', blocked)).fields).toMatchObject({ replayed: false });
      expect(await statusOf(id)).toBe('blocked');
      expect((await call('hand_in', blocked)).fields).toMatchObject({ replayed: true });
    }
    expect(await commentsOn(id)).toHaveLength(2);
  });

  it('write one comment each time the issue is released', async () => {
    const run = await harness.build.liveRun();
    const { id } = await harness.build.issue({ companyId: run.agent.companyId, status: 'todo' });
    const call = await connect(run.authorization);
    const released = { issue: id, status: 'released', comment: 'Not for me' };
    for (let round = 0; round < 2; round++) {
      await call('claim', { issue: id });
      expect((await call('hand_in', released)).fields).toMatchObject({ replayed: false });
      expect(await statusOf(id)).toBe('todo');
      expect((await call('hand_in', released)).fields).toMatchObject({ replayed: true });
    }
    expect(await commentsOn(id)).toEqual(['Not for me', 'Not for me']);
  });
});
