import { useHarness } from '../../../../test/harness';
import { runnerClient, WITH_RUNNERS } from '../../../../test/runner-client';
import { newTicket } from '../../../access/credentials/run-pod-tickets';
import { enterPodInstance } from '../../runners/pod-instance';
import { claimRun } from '../claim-run';
import { listPlacedRuns, loseRun } from './pod-claims';
import { POD_INSTANCE } from './pod-instance';
import type { Taker } from './takers';

const LOSS = { reason: 'the run pod was lost: Deleted', cost: 'loss' as const, isTimeout: false };

describe('loseRun, called by several workers for the same run pod', () => {
  const harness = useHarness({ config: WITH_RUNNERS });

  afterEach(async () => {
    await harness.db.heartbeatRun.updateMany({
      where: { status: { in: ['queued', 'running'] } },
      data: { status: 'cancelled', finishedAt: new Date() },
    });
  });

  const place = async () => {
    const { context, build } = harness;
    await enterPodInstance(context.db, { labels: [], capacity: 8 });
    const adapterConfig = { command: 'true' };
    const agent = await build.agent({ adapterType: 'process', adapterConfig });
    const { id } = await build.queuedRun(agent.id);
    const row = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
    const taker: Taker = { kind: 'runner', labels: [], companyId: null };
    const runner = { taker, instance: POD_INSTANCE, ticketHash: newTicket().hash };
    await claimRun(context, row, 'w', { runner });
    const placed = (await listPlacedRuns(context.db)).find((run) => run.id === id);
    if (!placed) throw new Error('it was not claimed');
    return placed;
  };
  const logOf = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}/log`).expect(200)).body.content as string;

  it.each([
    ['restarted', LOSS, { status: 'running', runnerInstance: null }],
    ['ended', { ...LOSS, isTimeout: true }, { status: 'timed_out' }],
  ])('marks the run as %s once, and writes one line to the log', async (_, loss, after) => {
    const run = await place();
    const losses = [1, 2, 3, 4].map(() => loseRun(harness.context, run, loss));
    expect((await Promise.all(losses)).filter(Boolean)).toHaveLength(1);
    expect(await logOf(run.id)).toBe(`[switchyard] ${LOSS.reason}\n`);
    const row = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id: run.id } });
    expect(row).toMatchObject(after);
  });

  it('does not release the run after a runner has claimed it', async () => {
    const run = await place();
    await loseRun(harness.context, run, LOSS);
    const [taken] = await runnerClient(harness).take();
    expect(taken).toMatchObject({ runId: run.id, epoch: run.epoch + 1 });
    expect(await loseRun(harness.context, run, LOSS)).toBe(false);
    expect(await logOf(run.id)).toBe(`[switchyard] ${LOSS.reason}\n`);
  });
});
