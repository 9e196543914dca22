import { newId } from '@switchyard/db';
import type { AdapterOutcome, AdapterRun } from '@switchyard/runner/agents/agent-adapter';
import type {
  AgentDetailView,
  CommentView,
  HeartbeatRunDetailView,
  HeartbeatRunView,
  RoutineRunView,
  WakeView,
} from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { SUCCEEDED } from '../../../test/scripted-adapter';
import { claimRun } from '../../state/runs/claim-run';
import type { ClaimedRun } from '../../state/runs/claims/claimed-run';
import { finishRun } from '../../state/runs/end-run';
import { requeueRun } from '../../state/runs/requeue-run';

const TRANSIENT: AdapterOutcome = {
  status: 'failed',
  exitCode: null,
  errorCode: 'http_503',
  error: 'busy',
  transient: true,
  retryAfterMs: 0,
};

describe('the wakes in a run’s input', () => {
  const harness = useHarness();

  const post = async <T>(path: string, body: object = {}) => {
    const answer = await harness.api.post(path).send(body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body as T;
  };
  const say = (issueId: string, body: string) =>
    post<CommentView>(`/api/issues/${issueId}/comments`, { body });
  const invoke = (agentId: string, body: object) =>
    post<HeartbeatRunView>(`/api/agents/${agentId}/heartbeat/invoke`, body);
  const read = async (runId: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${runId}`).expect(200))
      .body as HeartbeatRunDetailView;
  const listed = ({ environment }: Pick<AdapterRun<unknown>, 'environment'>) =>
    JSON.parse(environment.SERVICE_WAKES as string) as WakeView[];

  const received = (agent: AgentDetailView) => {
    const runs: AdapterRun<unknown>[] = [];
    harness.scripted.on(agent.id, (run) => {
      runs.push(run);
      return SUCCEEDED;
    });
    return runs;
  };
  const setUp = async () => {
    const agent = await harness.build.agent({ name: 'Ada', wakeOnAssignment: false });
    const { companyId } = agent;
    const issue = (title: string) =>
      harness.build.issue({ companyId, title, status: 'todo', assigneeAgentId: agent.id });
    return { agent, companyId, one: await issue('One'), two: await issue('Two') };
  };

  it('appear oldest first, each with its issue, in the environment, the request and the API’s view of the run', async () => {
    const { agent, one, two } = await setUp();
    const runs = received(agent);
    const { id } = await invoke(agent.id, { reason: 'look around', payload: { n: 1 } });
    const comment = await say(two.id, '@ada please');
    await invoke(agent.id, { reason: 'do it', issueId: one.id });
    await harness.drain();
    const at = expect.any(String);
    const nothing = { commentId: null, approvalId: null, payload: null, at };
    const wakes = [
      {
        source: 'manual',
        reason: 'look around',
        issueId: null,
        identifier: null,
        title: null,
        issueStatus: null,
        ...nothing,
        payload: { n: 1 },
      },
      {
        source: 'mention',
        reason: null,
        issueId: two.id,
        identifier: two.identifier,
        title: 'Two',
        issueStatus: 'todo',
        ...nothing,
        commentId: comment.id,
      },
      {
        source: 'manual',
        reason: 'do it',
        issueId: one.id,
        identifier: one.identifier,
        title: 'One',
        issueStatus: 'todo',
        ...nothing,
      },
    ];
    expect(runs).toHaveLength(1);
    const [run] = runs as [AdapterRun<unknown>];
    expect(listed(run)).toEqual(wakes);
    expect(Object.keys(listed(run)[0] as WakeView)).toEqual(Object.keys(wakes[0] as object));
    expect(run.environment).toMatchObject({
      SERVICE_WAKE_COUNT: '3',
      SERVICE_ISSUE_ID: two.id,
      SERVICE_WAKE_SOURCE: 'mention',
      SERVICE_WAKE_REASON: 'mention',
    });
    expect(run.wakes).toEqual(wakes);
    expect((await read(id)).wakes).toEqual(wakes);
    expect((await read(id)).wakeReasons).toHaveLength(3);
  });

  it('set SERVICE_WAKE_* from the first wake that has an issue, or else from the first wake', async () => {
    const { agent, one, two } = await setUp();
    const runs = received(agent);
    await invoke(agent.id, { reason: 'first', payload: { of: 'the first' } });
    await invoke(agent.id, { reason: 'second', issueId: one.id, payload: { of: 'the second' } });
    await invoke(agent.id, { reason: 'third', issueId: two.id, payload: { of: 'the third' } });
    await harness.drain();
    expect(runs[0]?.environment).toMatchObject({
      SERVICE_ISSUE_ID: one.id,
      SERVICE_WAKE_SOURCE: 'manual',
      SERVICE_WAKE_REASON: 'second',
      SERVICE_WAKE_PAYLOAD: '{"of":"the second"}',
    });
    const other = await harness.build.agent();
    const others = received(other);
    await invoke(other.id, { reason: 'first' });
    await invoke(other.id, { reason: 'second', payload: { of: 'the second' } });
    await harness.drain();
    expect(others[0]?.environment).toMatchObject({ SERVICE_WAKE_REASON: 'first' });
    expect(others[0]?.environment).not.toHaveProperty('SERVICE_WAKE_PAYLOAD');
    expect(others[0]?.environment).not.toHaveProperty('SERVICE_ISSUE_ID');
  });

  it('set the issue variables to the first open issue, and list all wakes', async () => {
    const { agent, companyId, one, two } = await setUp();
    const project = await harness.build.project({ companyId });
    await harness.api.patch(`/api/issues/${two.id}`).send({ projectId: project.id }).expect(200);
    const runs = received(agent);
    const { id } = await invoke(agent.id, { reason: 'first', issueId: one.id });
    await invoke(agent.id, { reason: 'second', issueId: two.id });
    expect((await read(id)).issueId).toBe(one.id);
    await harness.api.patch(`/api/issues/${one.id}`).send({ status: 'cancelled' }).expect(200);
    await harness.drain();
    expect(runs[0]?.environment).toMatchObject({
      SERVICE_ISSUE_ID: two.id,
      SERVICE_PROJECT_ID: project.id,
      SERVICE_WAKE_REASON: 'second',
    });
    expect((await read(id)).issueId).toBe(two.id);
    expect(listed(runs[0] as AdapterRun<unknown>).map((wake) => wake.issueId)).toEqual([
      one.id,
      two.id,
    ]);
    const { wakes, issue } = await (runs[0] as AdapterRun<unknown>).facts();
    expect(issue?.identifier).toBe(two.identifier);
    expect(wakes.map((wake) => wake.issue?.status)).toEqual(['cancelled', 'todo']);
    expect(runs[0]?.wakes.map(({ issueStatus }) => issueStatus)).toEqual(['cancelled', 'todo']);
  });

  it('set the issue variables to a finished issue if no wake has an open issue', async () => {
    const { agent, one, two } = await setUp();
    const runs = received(agent);
    await invoke(agent.id, { reason: 'first', issueId: one.id });
    await invoke(agent.id, { reason: 'second', issueId: two.id });
    for (const { id } of [one, two]) {
      await harness.api.patch(`/api/issues/${id}`).send({ status: 'cancelled' }).expect(200);
    }
    await harness.drain();
    expect(runs[0]?.environment).toMatchObject({
      SERVICE_ISSUE_ID: one.id,
      SERVICE_WAKE_REASON: 'first',
      SERVICE_WAKE_COUNT: '2',
    });
  });

  it('name the routine’s issue even if the routine’s wake joined another wake', async () => {
    const { agent, companyId, one } = await setUp();
    const routine = await harness.build.routine({
      companyId,
      title: 'Weekly report',
      assigneeAgentId: agent.id,
    });
    const runs = received(agent);
    await invoke(agent.id, { issueId: one.id });
    const fired = await post<RoutineRunView>(`/api/routines/${routine.id}/run`, {
      payload: { week: 47 },
    });
    await harness.drain();
    expect(runs).toHaveLength(1);
    expect(listed(runs[0] as AdapterRun<unknown>)[1]).toMatchObject({
      source: 'routine',
      issueId: fired.linkedIssueId,
      title: 'Weekly report',
      payload: { week: 47 },
    });
  });

  it('stay the same when another worker takes the run over; a retry after a failure adds later wakes', async () => {
    const { agent, one, two } = await setUp();
    const runs = received(agent);
    const { id } = await invoke(agent.id, { reason: 'first', issueId: one.id });
    await invoke(agent.id, { reason: 'second', issueId: two.id });
    const waiting = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
    const claimed = await claimRun(harness.context, waiting, 'a worker that stops');
    await invoke(agent.id, { reason: 'third', issueId: one.id });
    await harness.api.patch(`/api/issues/${one.id}`).send({ status: 'cancelled' }).expect(200);
    await requeueRun(harness.context, claimed as ClaimedRun);
    const again = await claimRun(harness.context, waiting, 'another worker');
    expect(again).toMatchObject({ issueId: one.id, wakeReasons: claimed?.wakeReasons });
    const end = { status: 'failed', exitCode: null, transient: true, retryAfterMs: 0 } as const;
    await finishRun(harness.context, again as ClaimedRun, end);
    await harness.drain();
    const reasons = runs.map((run) => listed(run).map(({ reason }) => reason));
    expect(reasons).toEqual([['first', 'second', 'third']]);
    expect(runs[0]?.environment.SERVICE_ISSUE_ID).toBe(two.id);
  });

  it('list the wakes of a retried run before later wakes', async () => {
    const { agent, one, two } = await setUp();
    const runs: AdapterRun<unknown>[] = [];
    harness.scripted.on(agent.id, async (run) => {
      runs.push(run);
      if (runs.length > 1) return SUCCEEDED;
      await invoke(agent.id, { reason: 'meanwhile', issueId: two.id });
      return TRANSIENT;
    });
    await invoke(agent.id, { reason: 'first', issueId: one.id });
    await say(two.id, '@ada second');
    await harness.drain();
    expect(runs.map((run) => listed(run).map(({ source, reason }) => reason ?? source))).toEqual([
      ['first', 'mention'],
      ['first', 'mention', 'meanwhile'],
    ]);
  });

  it('list each of forty mentions once, even if several workers admit them', async () => {
    const { agent, companyId } = await setUp();
    const issues = await Promise.all(
      Array.from({ length: 20 }, () => harness.build.issue({ companyId })),
    );
    const runs = received(agent);
    const busy = await harness.build.liveRun(agent);
    const comments = await Promise.all([...issues, ...issues].map(({ id }) => say(id, '@ada now')));
    await Promise.all([1, 2, 3].map(() => harness.drain()));
    await harness.build.endLiveRun(busy.id);
    await harness.drain();
    expect(runs).toHaveLength(1);
    const wakes = (runs[0] as AdapterRun<unknown>).wakes;
    const names = new Map(issues.map(({ id, identifier }) => [id, identifier]));
    expect(
      wakes.map((wake) => `${wake.commentId} ${wake.issueId} ${wake.identifier}`).sort(),
    ).toEqual(comments.map(({ id, issueId }) => `${id} ${issueId} ${names.get(issueId)}`).sort());
    expect(wakes.map(({ at }) => at)).toEqual(wakes.map(({ at }) => at).sort());
  });

  it('fit the size limit of the environment by truncation, but are complete in the request and the run', async () => {
    const { agent, companyId } = await setUp();
    const runs = received(agent);
    const title = 'ü'.repeat(500);
    const long = await harness.build.issue({ companyId, title });
    for (let n = 0; n < 70; n++) {
      const payload = n < 5 ? { text: 'x'.repeat(12_000) } : undefined;
      await invoke(agent.id, { issueId: long.id, reason: `wake ${n}`, payload });
    }
    await harness.drain();
    const [run] = runs as [AdapterRun<unknown>];
    const list = listed(run);
    expect(Buffer.byteLength(run.environment.SERVICE_WAKES as string)).toBeLessThan(65_537);
    expect(list.length).toBeGreaterThan(30);
    expect(list.length).toBeLessThan(70);
    expect(list.map(({ reason }) => reason)).toEqual(list.map((_, n) => `wake ${n}`));
    expect(run.environment.SERVICE_WAKE_COUNT).toBe('70');
    const readAt = `/api/heartbeat-runs/${run.runId}`;
    expect(list[4]?.payload).toEqual({ omitted: true, byteSize: 12_011, readAt });
    expect(run.wakes).toHaveLength(70);
    const { wakes } = await read(run.runId);
    expect(wakes).toEqual(run.wakes);
    expect(wakes[4]?.payload).toEqual({ text: 'x'.repeat(12_000) });
  });

  it('contain the size of a payload that was too large to store', async () => {
    const { agent } = await setUp();
    const payload = { text: 'x'.repeat(15_000) };
    for (let n = 0; n < 5; n++) await invoke(agent.id, { payload });
    const { id } = await invoke(agent.id, { payload: { small: true } });
    const { wakes } = await read(id);
    expect(wakes.map((wake) => wake.payload)).toEqual([
      ...Array(4).fill(payload),
      { omitted: true, byteSize: 15_011 },
      { small: true },
    ]);
  });

  it('exclude a further wake if the waiting run is full, and include it in the next run', async () => {
    const { agent, one, two } = await setUp();
    const runs = received(agent);
    const { id } = await invoke(agent.id, { issueId: one.id });
    await harness.context.db.pool.query(
      `UPDATE heartbeat_run SET wake_reasons = (
         SELECT jsonb_agg(wake) FROM jsonb_array_elements(wake_reasons) wake, generate_series(1, 500)
       ) WHERE id = $1`,
      [id],
    );
    const comment = await say(two.id, '@ada and this');
    const invoked = await invoke(agent.id, { reason: 'by hand' });
    expect(invoked.id).toBe(id);
    await harness.drain();
    expect(runs.map((run) => run.wakes.length)).toEqual([500, 1]);
    expect(runs[1]?.wakes).toMatchObject([{ commentId: comment.id, issueId: two.id }]);
    expect(
      await harness.db.agentWakeup.findFirst({ where: { commentId: comment.id } }),
    ).toMatchObject({ status: 'admitted', runId: runs[1]?.runId });
  });

  it('cannot be read by agents of other companies', async () => {
    const { agent, one } = await setUp();
    const { id } = await invoke(agent.id, { issueId: one.id });
    const stranger = await harness.build.liveRun();
    const refused = await harness.api
      .get(`/api/heartbeat-runs/${id}`)
      .set('Authorization', stranger.authorization);
    expect(refused.body.code).toBe('cross_company');
    await harness.api.get(`/api/heartbeat-runs/${newId()}`).expect(404);
  });
});
