import { setTimeout } from 'node:timers/promises';
import { type ChangeClient, openChangeClient } from '@switchyard/orchestration/test/change-client';
import { fillRunLog } from '@switchyard/orchestration/test/fill-run-log';
import { useHarness } from '@switchyard/orchestration/test/harness';

const WRITES = 100;
const RUNS = 1_000_000;

const summary = (times: number[]) => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`;
};

describe('the benchmark of open pages', () => {
  const harness = useHarness();

  const timed = async (times: number, call: () => Promise<unknown>) => {
    const took: number[] = [];
    for (let n = 0; n < times; n++) {
      const began = performance.now();
      await call();
      took.push(performance.now() - began);
    }
    return summary(took);
  };
  const say = (what: string, figures: string) => process.stdout.write(`  ${what}: ${figures}\n`);

  it('prints the time from a write until 50 streams have received its rows', async () => {
    const { build, api } = harness;
    const issue = await build.issue();
    for (let n = 0; n < 20; n++) await build.liveRun({ companyId: issue.companyId });
    const clients: ChangeClient[] = [];
    for (let n = 0; n < 50; n++) clients.push(await openChangeClient(harness.url, issue.companyId));
    for (const client of clients) await client.live();
    const waits: number[] = [];
    for (let n = 0; n < WRITES; n++) {
      const began = performance.now();
      await api
        .patch(`/api/issues/${issue.id}`)
        .send({ title: `Title ${n}` })
        .expect(200);
      const isThere = () => clients[0]?.row('issue', issue.id)?.title === `Title ${n}`;
      while (!isThere()) await setTimeout(1);
      waits.push(performance.now() - began);
    }
    say('request to row', summary(waits));
    for (const client of clients) client.close();
  }, 300_000);

  it('prints the duration of lists and batches over a million runs, and of reads of a 50 MB log', async () => {
    const { build, api, asOwner } = harness;
    const agent = await build.agent();
    const live = await build.liveRun({ companyId: agent.companyId });
    await asOwner(`
      INSERT INTO heartbeat_run (id, company_id, agent_id, status, source, error_code, created_at, finished_at)
      SELECT gen_random_uuid(), '${agent.companyId}', '${agent.id}',
        CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'succeeded' END,
        CASE WHEN n % 1000 = 1 THEN 'approval' ELSE 'manual' END,
        CASE WHEN n % 50000 = 0 THEN 'timeout' WHEN n % 50 = 0 THEN 'adapter_exit' END,
        now() - n * interval '1 second', now()
      FROM generate_series(1, ${RUNS}) n`);
    await asOwner('ANALYZE heartbeat_run');
    const runs = `/api/companies/${agent.companyId}/heartbeat-runs`;
    for (const query of [
      '',
      '?status=failed',
      '?source=approval',
      '?errorCode=timeout',
      '?errorCode=adapter_exit&retried=false',
      '?createdBefore=2026-11-12T00:00:00Z',
      `?agentId=${agent.id}&source=approval`,
    ]) {
      say(`runs${query}`, await timed(10, () => api.get(`${runs}${query}`).expect(200)));
    }
    const post = (verb: string, body: object) => api.post(`${runs}/${verb}`).send(body).expect(200);
    say('count of retry', await timed(5, () => post('retry', { filter: {}, dryRun: true })));
    const cursor = { current: undefined as string | undefined };
    say(
      'retry of 100',
      await timed(4, async () => {
        const { body } = await post('retry', { filter: {}, cursor: cursor.current });
        cursor.current = body.nextCursor;
      }),
    );
    await fillRunLog(harness, live.id, 50);
    const log = `/api/heartbeat-runs/${live.id}/log`;
    say('log, last 64 KiB', await timed(20, () => api.get(`${log}?tail=65536`).expect(200)));
    say('log, in the middle', await timed(20, () => api.get(`${log}?offset=26000000`).expect(200)));
    say('search of 8 MiB', await timed(5, () => api.get(`${log}/search?q=nowhere`).expect(200)));
  }, 550_000);
});
