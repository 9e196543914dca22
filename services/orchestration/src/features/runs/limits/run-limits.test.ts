import { newId } from '@switchyard/db';
import { useHarness } from '../../../../test/harness';
import { runnerClient, WITH_RUNNERS } from '../../../../test/runner-client';
import { readWaitingRuns } from '../../../observability/waiting-runs';
import { rehint } from '../../../state/rehint';
import { claimRun, type WaitingRun } from '../../../state/runs/claim-run';
import { WORKER } from '../../../state/runs/claims/takers';
import { finishRun } from '../../../state/runs/end-run';
import { findNextRun } from '../claim/find-waiting-run';

describe('limits by key', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const path = (companyId: string) => `/api/companies/${companyId}/run-limits`;
  const claim = (run: WaitingRun) => claimRun(harness.context, run, 'w');
  const limit = async (companyId: string, body: object) =>
    (await harness.api.post(path(companyId)).send(body).expect(201)).body;
  const change = async (set: { id: string; companyId: string }, body: object) =>
    (
      await harness.api
        .patch(`${path(set.companyId)}/${set.id}`)
        .send(body)
        .expect(200)
    ).body;
  const read = async (run: WaitingRun) =>
    (await harness.api.get(`/api/heartbeat-runs/${run.id}`).expect(200)).body;
  const runningOf = async (companyId: string) =>
    Number(
      (
        await harness.context.db.pool.query(
          `SELECT count(*) FROM heartbeat_run WHERE company_id = $1 AND status = 'running'`,
          [companyId],
        )
      ).rows[0].count,
    );

  const waiting = async (companyId: string, count: number, fields: object = {}) => {
    const runs: WaitingRun[] = [];
    for (let at = 0; at < count; at++) {
      const agent = await harness.build.agent({ companyId, limitKeys: ['deploy'], ...fields });
      const { id } = await harness.build.queuedRun(agent.id);
      runs.push({ id, companyId, agentId: agent.id });
    }
    return runs as [WaitingRun, ...WaitingRun[]];
  };
  const next = (companyId: string, hintedId: string | null = null) =>
    findNextRun(harness.context, {
      taker: { ...WORKER, companyId },
      hintedId,
      notOf: [],
      running: [],
      tried: [],
    });

  it('starts at most as many runs as the limit from concurrent claims of different agents', async () => {
    const { id: companyId } = await harness.build.company();
    await limit(companyId, { key: 'deploy', maxRunning: 3 });
    const runs = await waiting(companyId, 12);
    const claims = await Promise.all(runs.flatMap((run) => [claim(run), claim(run)]));
    expect(new Set(claims.flatMap((claimed) => claimed?.id ?? [])).size).toBe(3);
    expect(await runningOf(companyId)).toBe(3);
    const { body } = await harness.api.get(path(companyId)).expect(200);
    expect(body).toMatchObject([{ key: 'deploy', maxRunning: 3, running: 3, isPaused: false }]);
  });

  it('starts the next run when a run with the key has ended', async () => {
    const { id: companyId } = await harness.build.company();
    await limit(companyId, { key: 'deploy', maxRunning: 1 });
    const [first, second] = await waiting(companyId, 2);
    const claimed = await claim(first);
    if (!claimed || !second) throw new Error('the first run was not claimed');
    expect(await claim(second)).toBeNull();
    await finishRun(harness.context, claimed, { status: 'succeeded', exitCode: 0 });
    expect(await claim(second)).toMatchObject({ id: second.id });
  });

  it('reports the limit of a waiting run with the runs that hold its places', async () => {
    const { id: companyId } = await harness.build.company();
    const set = await limit(companyId, { key: 'deploy', maxRunning: 1 });
    const [first, second] = await waiting(companyId, 2);
    if (!second) throw new Error('there is one run');
    expect((await read(second)).limit).toBeNull();
    await claim(first);
    const blocking = { key: 'deploy', maxRunning: 1, isPaused: false, running: 1 };
    expect(await read(second)).toMatchObject({
      waitsFor: 'limit',
      queuePosition: 1,
      limit: { ...blocking, heldBy: [{ runId: first.id, agentId: first.agentId }] },
    });
    const { body } = await harness.api.get(`/api/companies/${companyId}/overview`).expect(200);
    expect(body.waiting.byReason).toMatchObject({ limit: 1, worker: 0 });
    await change(set, { maxRunning: 2 });
    expect(await read(second)).toMatchObject({ waitsFor: 'worker', limit: null });
  });

  it('starts no further run while a limit is paused, and leaves running runs unchanged', async () => {
    const { id: companyId } = await harness.build.company();
    const set = await limit(companyId, { key: 'deploy', maxRunning: 5 });
    const [first, second] = await waiting(companyId, 2);
    if (!second) throw new Error('there is one run');
    await claim(first);
    expect(await change(set, { isPaused: true })).toMatchObject({ isPaused: true, running: 1 });
    expect(await claim(second)).toBeNull();
    expect(await read(second)).toMatchObject({ waitsFor: 'limit', limit: { isPaused: true } });
    expect(await read(first)).toMatchObject({ status: 'running' });
    await change(set, { isPaused: false });
    expect(await claim(second)).not.toBeNull();
  });

  it('lets another worker take over a lost run of a paused key', async () => {
    const { id: companyId } = await harness.build.company();
    const set = await limit(companyId, { key: 'deploy', maxRunning: 1 });
    const [run] = await waiting(companyId, 1);
    await claim(run);
    await change(set, { isPaused: true });
    await harness.context.db.pool.query(
      `UPDATE heartbeat_run SET lease_expires_at = now() - interval '1 s' WHERE id = $1`,
      [run.id],
    );
    expect(await claim(run)).toMatchObject({ id: run.id });
  });

  it('finds a later run without the key before earlier runs that wait for a limit', async () => {
    const { id: companyId } = await harness.build.company();
    await limit(companyId, { key: 'deploy', maxRunning: 1, isPaused: true });
    const [blocked] = await waiting(companyId, 3);
    expect(await next(companyId)).toBeNull();
    const [free] = await waiting(companyId, 1, { limitKeys: ['other'] });
    expect(await next(companyId)).toMatchObject({ id: free.id });
    expect(await next(companyId, blocked.id)).toMatchObject({ id: free.id });
  });

  it('does not hint or report as stalled the runs that wait for a limit', async () => {
    const { id: companyId } = await harness.build.company();
    const set = await limit(companyId, { key: 'deploy', maxRunning: 1, isPaused: true });
    const runs = await waiting(companyId, 2);
    const { pool } = harness.context.db;
    await pool.query(
      `UPDATE heartbeat_run SET hinted_at = NULL, created_at = now() - interval '1 h' WHERE company_id = $1`,
      [companyId],
    );
    await pool.query(`UPDATE agent SET updated_at = now() - interval '1 h'`);
    const rules = {
      runnerTypes: harness.context.adapters.runnerTypes,
      maxRunning: 0,
      hasPods: false,
      slots: { full: () => [], hasRoom: () => true, runIds: () => [] },
    };
    const hinted = () =>
      pool.query('SELECT FROM heartbeat_run WHERE company_id = $1 AND hinted_at IS NOT NULL', [
        companyId,
      ]);
    await rehint(harness.context, 'heartbeat-runs');
    expect((await hinted()).rowCount).toBe(0);
    expect((await readWaitingRuns(pool, rules)).stalledSeconds).toBeLessThan(3_000);
    await change(set, { isPaused: false });
    await rehint(harness.context, 'heartbeat-runs');
    expect((await hinted()).rowCount).toBe(runs.length);
    expect((await readWaitingRuns(pool, rules)).stalledSeconds).toBeGreaterThan(3_000);
  });

  it.each([
    ['model_a_local', {}, 'provider:anthropic'],
    ['model_b_local', {}, 'provider:openai'],
    ['model_c_local', { model: 'Mistral/large' }, 'provider:mistral'],
    ['model_c_local', {}, 'provider:opencode'],
  ])('limits the runs of %s with %j by the key %s', async (adapterType, adapterConfig, key) => {
    const { id: companyId } = await harness.build.company();
    await limit(companyId, { key, maxRunning: 1, isPaused: true });
    const [run] = await waiting(companyId, 1, { limitKeys: [], adapterType, adapterConfig });
    expect(await read(run)).toMatchObject({ waitsFor: 'limit', limit: { key } });
  });

  it('gives a runner only runs whose limits have a place', async () => {
    const { id: companyId } = await harness.build.company();
    const set = await limit(companyId, { key: 'deploy', maxRunning: 1 });
    const adapterConfig = { command: 'true', runnerLabels: ['own'] };
    await waiting(companyId, 2, { adapterType: 'process', adapterConfig });
    const { body } = await harness.api
      .post(`/api/companies/${companyId}/runners`)
      .send({ name: 'own', labels: ['own'] })
      .expect(201);
    const runner = runnerClient(harness, { token: body.token, labels: ['own'] });
    await runner.hello().expect(200);
    const { runs } = await runner.next({ free: 4 });
    expect(runs).toHaveLength(1);
    await change(set, { maxRunning: 2 });
    const more = await runner.next({ free: 4, running: [runs[0]?.runId as string] });
    expect(more.runs).toHaveLength(1);
  });

  it('refuses the 101st limit of a company with 409', async () => {
    const { id: companyId } = await harness.build.company();
    await harness.asOwner(`
      INSERT INTO run_limit (id, company_id, key, max_running)
      SELECT gen_random_uuid(), '${companyId}', 'key' || n, 1 FROM generate_series(1, 99) n`);
    const create = (key: string) => harness.api.post(path(companyId)).send({ key, maxRunning: 1 });
    const answers = await Promise.all([create('one'), create('two')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('rejects a second limit with the same key with 409', async () => {
    const { id: companyId } = await harness.build.company();
    await limit(companyId, { key: 'deploy', maxRunning: 1 });
    const again = await harness.api.post(path(companyId)).send({ key: 'deploy', maxRunning: 2 });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(again.body.error).toContain('change that limit');
  });

  it.each([
    [{ key: 'Deploy', maxRunning: 1 }, 'key'],
    [{ key: 'deploy', maxRunning: 0 }, 'maxRunning'],
    [{ key: 'deploy' }, 'maxRunning'],
  ])('rejects %j and names %s', async (body, field) => {
    const { id: companyId } = await harness.build.company();
    const refused = await harness.api.post(path(companyId)).send(body).expect(400);
    expect(refused.body.error).toContain(field);
  });

  it('rejects an agent that names a key twice', async () => {
    const agent = await harness.build.agent();
    const refused = await harness.api
      .patch(`/api/agents/${agent.id}`)
      .send({ limitKeys: ['deploy', 'deploy'] })
      .expect(400);
    expect(refused.body.error).toContain('limitKeys');
  });

  it('deletes a limit and answers 404 for an unknown one', async () => {
    const { id: companyId } = await harness.build.company();
    const set = await limit(companyId, { key: 'deploy', maxRunning: 1, isPaused: true });
    const [run] = await waiting(companyId, 1);
    await harness.api.delete(`${path(companyId)}/${set.id}`).expect(204);
    await harness.api.delete(`${path(companyId)}/${newId()}`).expect(404);
    expect(await claim(run)).not.toBeNull();
  });
});
