import type { ListedRunView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('a listed run', () => {
  const harness = useHarness();
  const rowOf = async (companyId: string, id: string, query = '') => {
    const path = `/api/companies/${companyId}/heartbeat-runs${query}`;
    const { body } = await harness.api.get(path).expect(200);
    return (body as ListedRunView[]).find((row) => row.id === id) as ListedRunView;
  };

  it('has its agent, its issue and the reason of its first wake, whatever the filter', async () => {
    const { build } = harness;
    const agent = await build.agent();
    const { companyId, id: agentId } = agent;
    const issue = await build.issue({ companyId });
    const plain = await build.queuedRun((await build.agent({ companyId })).id);
    const run = await build.queuedRun(agentId, { reason: 'look at it', issueId: issue.id });
    const { identifier, title, status } = issue;
    for (const query of ['', `?issueId=${issue.id}`, `?agentId=${agentId}`, '?status=queued']) {
      expect(await rowOf(companyId, run.id, query)).toMatchObject({
        agentName: agent.name,
        issue: { id: issue.id, identifier, title, status },
        reason: 'look at it',
        lastLogLine: null,
      });
    }
    expect(await rowOf(companyId, plain.id)).toMatchObject({ issue: null, reason: 'manual' });
  });

  it.each([
    ['a final line break', 'one\ntwo\n', 'two'],
    ['an empty last line', 'one\r\n\r\n', 'one'],
    ['a line of 5,000 characters', `${'é'.repeat(5_000)}`, 'é'.repeat(200)],
    ['only white space', '\n \n', null],
  ])('has its latest line of output while it is running: %s', async (_case, content, line) => {
    const { build, db } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const bytes = Buffer.from(content);
    const chunks = [Buffer.from('earlier\n'), bytes];
    for (const [offset, chunk] of chunks.entries()) {
      await db.runLogChunk.create({ data: { companyId, runId: run.id, offset, content: chunk } });
    }
    expect((await rowOf(companyId, run.id)).lastLogLine).toBe(line);
    await build.endLiveRun(run.id);
    expect((await rowOf(companyId, run.id)).lastLogLine).toBeNull();
  });
});
