import { useHarness } from '../../../test/harness';
import { claimRun } from './claim-run';
import type { ClaimedRun } from './claims/claimed-run';
import { releaseClaim } from './requeue-run';

describe('claimRun', () => {
  const harness = useHarness();

  it('records the start of a run only once, even if workers claim the run concurrently or take it over later', async () => {
    const { context, db, build } = harness;
    const { id: agentId, companyId } = await build.agent();
    const waiting = await build.queuedRun(agentId);
    const starts = () =>
      db.activity.findMany({ where: { companyId, action: 'heartbeat.started' } });
    const claim = (workerId: string) => claimRun(context, waiting, workerId);
    const claims = await Promise.all(['one', 'two', 'three'].map(claim));
    const [run] = claims.filter((claimed) => claimed !== null) as [ClaimedRun];
    const details = { agentId, issueId: null, source: 'manual' };
    const entity = { entityType: 'heartbeat_run', entityId: run.id };
    expect(await starts()).toMatchObject([
      { actorType: 'system', runId: run.id, ...entity, details },
    ]);
    await releaseClaim(context.db, run, 'attempt');
    expect(await claim('four')).toMatchObject({ attempt: 2 });
    expect(await starts()).toHaveLength(1);
  });
});
