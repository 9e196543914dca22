import { newId } from '@switchyard/db';
import type { CancelledRunsView, ListedRunView, RetriedRunsView } from '@switchyard/types';
import { everything } from '../../../../test/everything';
import { useHarness } from '../../../../test/harness';

describe('bulk changes of runs', () => {
  const harness = useHarness();

  const post = (companyId: string, verb: string, body: object) =>
    harness.api.post(`/api/companies/${companyId}/heartbeat-runs/${verb}`).send(body);
  const cancel = async (companyId: string, body: object) =>
    (await post(companyId, 'cancel', body).expect(200)).body as CancelledRunsView;
  const retry = async (companyId: string, body: object) =>
    (await post(companyId, 'retry', body).expect(200)).body as RetriedRunsView;
  const list = async (companyId: string, query: string) =>
    (await harness.api.get(`/api/companies/${companyId}/heartbeat-runs?${query}`).expect(200))
      .body as ListedRunView[];
  const recorded = (action: string, entityId: string) =>
    harness.db.activity.count({ where: { action, entityId } });

  const endedRuns = async (
    agent: { id: string; companyId: string },
    rows: { status?: string; errorCode?: string | null; source?: string; issueId?: string }[],
  ) => {
    const data = rows.map((row, at) => ({
      id: newId(),
      agentId: agent.id,
      companyId: agent.companyId,
      status: 'failed',
      errorCode: 'adapter_exit',
      source: 'manual',
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, at)),
      finishedAt: new Date(Date.UTC(2026, 0, 2)),
      ...row,
    }));
    await harness.db.heartbeatRun.createMany({ data });
    return data.map(({ id }) => id);
  };

  describe('with the filters of the list', () => {
    it('select runs by each filter, and by several filters together', async () => {
      const agent = await harness.build.agent();
      const { companyId } = agent;
      const [a, b, c, d] = await endedRuns(agent, [
        { source: 'routine' },
        { errorCode: 'timeout', status: 'timed_out' },
        { errorCode: 'worker_lost', source: 'mention' },
        { status: 'succeeded', errorCode: null, source: 'routine' },
      ]);
      await retry(companyId, { runIds: [a] });
      await harness.db.heartbeatRun.deleteMany({ where: { companyId, status: 'queued' } });
      const ids = async (query: string) => (await list(companyId, query)).map(({ id }) => id);
      expect(await ids('source=routine')).toEqual([d, a]);
      expect(await ids('source=routine,mention&status=failed')).toEqual([c, a]);
      expect(await ids('errorCode=timeout,worker_lost')).toEqual([c, b]);
      expect(await ids('createdAfter=2026-01-01T00:00:00Z')).toEqual([d, c, b]);
      expect(await ids('createdBefore=2026-01-01T00:02:00Z')).toEqual([b, a]);
      expect(await ids(`retried=false&agentId=${agent.id}`)).toEqual([d, c, b]);
      expect(await ids('retried=true')).toEqual([a]);
      expect(await ids(`errorCode=timeout&issueId=${newId()}`)).toEqual([]);
      const first = await harness.api.get(
        `/api/companies/${companyId}/heartbeat-runs?retried=false&limit=2`,
      );
      const cursor = first.headers['x-next-cursor'];
      expect(await ids(`retried=false&limit=2&cursor=${cursor}`)).toEqual([b]);
    });

    it.each([
      ['source', 'source=nobody'],
      ['errorCode', 'errorCode=Not%20one'],
      ['errorCode', 'errorCode='],
      ['createdAfter', 'createdAfter=yesterday'],
      ['createdBefore', 'createdBefore=0001-01-01T00:00:00Z'],
      ['retried', 'retried=maybe'],
    ])('reject an invalid %s in ?%s', async (field, query) => {
      const { id } = await harness.build.company();
      const { status, body } = await harness.api.get(
        `/api/companies/${id}/heartbeat-runs?${query}`,
      );
      expect([status, body.details[0].path[0]]).toEqual([400, field]);
    });
  });

  it('cancel waiting runs immediately, and running runs when their process ends', async () => {
    const { build } = harness;
    const running = await build.liveRun();
    const { companyId } = running.agent;
    const waiting = await build.queuedRun((await build.agent({ companyId })).id);
    const other = await build.queuedRun((await build.agent({ companyId })).id);
    const foreign = await build.queuedRun((await build.agent()).id);
    await endedRuns(running.agent, [{}]);
    const counted = await cancel(companyId, { filter: {}, dryRun: true });
    expect(counted).toEqual({ cancelled: [], refused: [], count: 3, nextCursor: null });
    expect(await recorded('heartbeat.cancel_requested', waiting.id)).toBe(0);

    const filter = { agentId: other.agentId };
    expect((await cancel(companyId, { filter })).cancelled).toEqual([
      { runId: other.id, status: 'cancelled' },
    ]);
    const { cancelled, refused, count } = await cancel(companyId, { filter: {} });
    expect(new Map(cancelled.map(({ runId, status }) => [runId, status]))).toEqual(
      new Map([
        [waiting.id, 'cancelled'],
        [running.id, 'running'],
      ]),
    );
    expect([refused, count]).toEqual([[], null]);
    expect(await recorded('heartbeat.cancel_requested', running.id)).toBe(1);
    expect((await list(foreign.companyId, 'status=queued')).map(({ id }) => id)).toEqual([
      foreign.id,
    ]);
  });

  it('return a reason for each run that was not changed', async () => {
    const { build } = harness;
    const agent = await build.agent();
    const waiting = await build.queuedRun(agent.id);
    const foreign = await build.queuedRun((await build.agent()).id);
    const [ended] = await endedRuns(agent, [{ status: 'succeeded' }]);
    const runIds = [waiting.id, ended, foreign.id, waiting.id];
    expect(await cancel(agent.companyId, { runIds, dryRun: true })).toMatchObject({ count: 2 });
    expect(await cancel(agent.companyId, { runIds })).toEqual({
      cancelled: [{ runId: waiting.id, status: 'cancelled' }],
      refused: [
        {
          runId: ended,
          code: 'conflict',
          message: 'the run has already ended with status succeeded',
        },
        { runId: foreign.id, code: 'not_found', message: 'heartbeat run not found' },
      ],
      count: null,
      nextCursor: null,
    });
    const again = await retry(agent.companyId, { runIds: [ended, foreign.id] });
    expect(again.refused.map(({ code }) => code)).toEqual(['not_retryable', 'not_found']);
  });

  it('accept upper-case ids and duplicate ids', async () => {
    const agent = await harness.build.agent();
    const [ended] = (await endedRuns(agent, [{}])) as [string];
    const runIds = [ended.toUpperCase(), ended];
    expect(await retry(agent.companyId, { runIds, dryRun: true })).toMatchObject({ count: 1 });
    const { retried, refused } = await retry(agent.companyId, { runIds });
    expect([retried.map(({ runId }) => runId), refused]).toEqual([[ended], []]);
  });

  it('retry each run once, even in repeated and concurrent calls', async () => {
    const { build } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const ids = await endedRuns(
      agent,
      Array.from({ length: 12 }, () => ({})),
    );
    const calls = await Promise.all([
      retry(companyId, { filter: {} }),
      retry(companyId, { runIds: ids }),
      retry(companyId, { filter: { errorCode: ['adapter_exit'] } }),
    ]);
    const retried = calls.flatMap((call) => call.retried.map(({ runId }) => runId));
    expect([...retried].sort()).toEqual([...ids].sort());
    const codes = new Set(calls.flatMap((call) => call.refused.map(({ code }) => code)));
    expect([...codes].every((code) => code === 'already_retried')).toBe(true);
    for (const id of ids) expect(await recorded('heartbeat.retried', id)).toBe(1);
    const [waiting, ...rest] = await list(companyId, 'status=queued');
    expect(rest).toEqual([]);
    expect(new Set(calls.flatMap((call) => call.retried.map(({ byRunId }) => byRunId)))).toEqual(
      new Set([waiting?.id]),
    );
    const before = await everything(harness);
    expect(await retry(companyId, { filter: {} })).toMatchObject({ retried: [], refused: [] });
    expect(await everything(harness)).toEqual(before);
    const one = await harness.api.get(`/api/heartbeat-runs/${ids[0]}`);
    expect(one.body.retriedByRunId).toBe(waiting?.id);
  });

  it('retry runs in pages, newest first, and return a reason for each refused run', async () => {
    const { build, api } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const paused = await build.agent({ companyId });
    await api.post(`/api/agents/${paused.id}/pause`).expect(200);
    const [oldest, ...ids] = await endedRuns(agent, [{}, {}, {}]);
    const [stays] = await endedRuns(paused, [{}]);
    await harness.db.heartbeatRun.update({
      where: { id: stays as string },
      data: { createdAt: new Date(Date.UTC(2026, 0, 1, 1)) },
    });
    expect(await retry(companyId, { filter: {}, dryRun: true })).toMatchObject({ count: 4 });
    const first = await retry(companyId, { filter: {}, limit: 2 });
    expect(first.retried.map(({ runId }) => runId)).toEqual([ids[1]]);
    expect(first.refused).toMatchObject([{ runId: stays, code: 'not_invokable' }]);
    const second = await retry(companyId, { filter: {}, limit: 2, cursor: first.nextCursor });
    expect(second.retried.map(({ runId }) => runId)).toEqual([ids[0], oldest]);
    expect(second.nextCursor).toBeNull();
  });

  it('retry only as many runs as the waiting run can merge', async () => {
    const agent = await harness.build.agent();
    const wakeReasons = Array.from({ length: 500 }, () => ({
      source: 'manual',
      reason: null,
      issueId: null,
      commentId: null,
      payload: null,
      at: '2026-01-01T00:00:00.000Z',
    }));
    const [large, next] = await endedRuns(agent, [{}, {}]);
    await harness.db.heartbeatRun.update({
      where: { id: large as string },
      data: { wakeReasons },
    });
    const { retried, refused } = await retry(agent.companyId, { runIds: [large, next] });
    expect(retried.map(({ runId }) => runId)).toEqual([large]);
    expect(refused).toMatchObject([{ runId: next, code: 'waiting_run_full' }]);
  });

  it.each([
    ['cancel', 'filter', {}],
    ['cancel', 'filter', { runIds: [newId()], filter: {} }],
    ['cancel', 'cursor', { runIds: [newId()], cursor: 'x' }],
    ['cancel', 'cursor', { filter: {}, cursor: 'x' }],
    ['cancel', 'runIds', { runIds: [] }],
    ['cancel', 'runIds', { runIds: Array.from({ length: 101 }, newId) }],
    ['cancel', 'runIds', { runIds: ['x'] }],
    ['cancel', 'filter', { filter: { status: ['succeeded'] } }],
    ['retry', 'filter', { filter: { status: ['queued'] } }],
    ['retry', 'filter', { filter: { status: [] } }],
    ['retry', 'filter', { filter: { errorCode: ['x y'] } }],
    ['retry', 'filter', { filter: { createdAfter: 'never' } }],
    ['retry', 'filter', { filter: { retried: true } }],
    ['retry', 'limit', { filter: {}, limit: 101 }],
    ['retry', 'dryRun', { filter: {}, dryRun: 'yes' }],
  ])('reject %s with an invalid %s', async (verb, field, body) => {
    const { id } = await harness.build.company();
    const answer = await post(id, verb, body);
    expect([answer.status, answer.body.details[0].path[0]]).toEqual([400, field]);
  });

  it('cannot be made by agents', async () => {
    const agent = await harness.build.agent();
    const key = await harness.build.apiKey(agent.id);
    for (const verb of ['cancel', 'retry']) {
      const refused = await post(agent.companyId, verb, { filter: {} }).set('Authorization', key);
      expect([refused.status, refused.body.code]).toEqual([403, 'board_only']);
      expect((await post(newId(), verb, { filter: {} })).status).toBe(404);
    }
  });
});
