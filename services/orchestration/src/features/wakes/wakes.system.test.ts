import { setTimeout as after } from 'node:timers/promises';
import { silentLogger } from '@switchyard/server';
import { until } from '@switchyard/testing';
import type { AgentDetailView, CommentView, WakeReason } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { startWorkers } from '../../../test/runner';
import { SUCCEEDED } from '../../../test/scripted-adapter';
import { createContext } from '../../create-context';
import type { Context } from '../../kernel/context';
import type { Workers } from '../../work/jobs';

const AT_ONCE = { handOverAfterMs: 0 };

const LOST_HINTS = { hint: async () => undefined, close: async () => undefined };

/**
 * Stores the numbers of an agent's queued and running runs when a status changes; the agent's lock
 * prevents concurrent changes.
 */
const OBSERVE = `
  CREATE TABLE observed (agent_id uuid, queued int, running int);
  CREATE FUNCTION observe() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO observed SELECT NEW.agent_id, count(*) FILTER (WHERE status = 'queued'),
      count(*) FILTER (WHERE status = 'running') FROM heartbeat_run WHERE agent_id = NEW.agent_id;
    RETURN NULL; END $$;
  CREATE TRIGGER observe AFTER INSERT OR UPDATE OF status ON heartbeat_run
    FOR EACH ROW EXECUTE FUNCTION observe()`;

const OPEN = `
  SELECT 1 FROM agent_wakeup WHERE status = 'pending'
  UNION ALL SELECT 1 FROM heartbeat_run WHERE status IN ('queued', 'running')`;

describe('wakes under load', () => {
  const harness = useHarness();
  const started: { context: Context; workers: Workers }[] = [];

  const startWorker = () => {
    const { adapters } = harness.context;
    const context = createContext(harness.config, 'worker', { logger: silentLogger, adapters });
    started.push({ context, workers: startWorkers(context) });
  };
  afterEach(async () => {
    for (const { context, workers } of started.splice(0)) {
      await workers.close(AT_ONCE);
      await context.close();
    }
  });

  const comment = async (issueId: string, body: string) =>
    (await harness.api.post(`/api/issues/${issueId}/comments`).send({ body }).expect(201))
      .body as CommentView;
  const rest = () =>
    until('every wake to be served', async () => {
      const { rows } = await harness.context.db.pool.query(OPEN);
      return rows.length === 0;
    });
  const runsOf = (agent: AgentDetailView) =>
    harness.db.heartbeatRun.findMany({ where: { agentId: agent.id } });

  it('lead to a run that starts after the mention, for each of 100 mentions', async () => {
    startWorker();
    startWorker();
    const agent = await harness.build.agent({ name: 'Ada' });
    const issue = await harness.build.issue({ companyId: agent.companyId });
    const told: string[] = [];
    harness.scripted.on(agent.id, async ({ environment }) => {
      told.push(...(environment.SERVICE_WAKE_COMMENT_IDS ?? '').split(','));
      await after(Math.random() * 40);
      return SUCCEEDED;
    });
    const comments: CommentView[] = [];
    for (let index = 0; index < 100; index++) {
      comments.push(await comment(issue.id, `@ada ${index}`));
      await after(Math.random() * 25);
    }
    await rest();

    const runs = await runsOf(agent);
    expect(runs.length).toBeGreaterThan(5);
    const wakeups = await harness.db.agentWakeup.findMany({ where: { agentId: agent.id } });
    expect(wakeups).toHaveLength(100);
    for (const { commentId, createdAt, runId, status } of wakeups) {
      expect(status).toBe('admitted');
      const serving = runs.filter((run) =>
        (run.wakeReasons as WakeReason[]).some((wake) => wake.commentId === commentId),
      );
      expect(serving.map((run) => run.id)).toEqual([runId]);
      expect(serving[0]?.status).toBe('succeeded');
      expect(serving[0]?.startedAt?.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
    }
    expect(told.sort()).toEqual(comments.map(({ id }) => id).sort());
  });

  it('create at most one waiting run and respect the concurrency limit, even for 200 wakes of five sources', async () => {
    await harness.asOwner(OBSERVE);
    const { id: companyId } = await harness.build.company();
    const agents = await Promise.all(
      [1, 3].map((maxConcurrentRuns) =>
        harness.build.agent({ companyId, maxConcurrentRuns, wakeOnAssignment: true }),
      ),
    );
    const issue = await harness.build.issue({ companyId });
    const ended = new Map<string, string>();
    for (const agent of agents) {
      const { id } = await harness.build.queuedRun(agent.id);
      await harness.api.post(`/api/heartbeat-runs/${id}/cancel`).expect(200);
      ended.set(agent.id, id);
      harness.scripted.on(agent.id, async () => {
        await after(5 + Math.random() * 20);
        return SUCCEEDED;
      });
    }
    const { api } = harness;
    const SOURCES = [
      ({ id }: AgentDetailView) => api.post(`/api/agents/${id}/heartbeat/invoke`).send({}),
      ({ name }: AgentDetailView) =>
        api.post(`/api/issues/${issue.id}/comments`).send({ body: `@${name}` }),
      ({ name }: AgentDetailView) =>
        api.patch(`/api/issues/${issue.id}`).send({ comment: `@${name}` }),
      ({ id }: AgentDetailView) =>
        api.post(`/api/companies/${companyId}/issues`).send({ title: 'work', assigneeAgentId: id }),
      ({ id }: AgentDetailView) => api.post(`/api/heartbeat-runs/${ended.get(id)}/retry`),
    ];
    for (let count = 0; count < 3; count++) startWorker();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const agent = agents[index % 2] as AgentDetailView;
        return SOURCES[Math.floor(index / 2) % SOURCES.length]?.(agent);
      }),
    );
    const statuses = answers.map((answer) => answer?.status ?? 0);
    expect(statuses.filter((status) => status >= 300 && status !== 503)).toEqual([]);
    await rest();

    for (const agent of agents) {
      const [most] = await harness.db.$queryRaw<{ queued: number; running: number; n: number }[]>`
        SELECT max(queued) AS queued, max(running) AS running, count(*)::int AS n
        FROM observed WHERE agent_id = ${agent.id}::uuid`;
      expect(most?.n).toBeGreaterThan(3);
      expect(most?.queued).toBe(1);
      expect(most?.running).toBeLessThanOrEqual(agent.maxConcurrentRuns);
      const runs = await runsOf(agent);
      const served = runs
        .filter((run) => run.status === 'succeeded')
        .flatMap((run) => run.wakeReasons as WakeReason[]);
      const accepted = statuses.filter(
        (status, index) => status < 300 && agents[index % 2]?.id === agent.id,
      );
      expect(accepted.length).toBeGreaterThan(50);
      expect(served).toHaveLength(accepted.length);
    }
  });
});

describe('wakes whose queue jobs are lost', () => {
  const harness = useHarness({ context: { hints: LOST_HINTS } });

  it('still lead to a run, because the sweep finds their rows', async () => {
    const agent = await harness.build.agent({ name: 'Ada' });
    const issue = await harness.build.issue({ companyId: agent.companyId });
    const body = { body: '@ada' };
    const made = await harness.api.post(`/api/issues/${issue.id}/comments`).send(body).expect(201);
    const { adapters } = harness.context;
    const context = createContext(harness.config, 'worker', { logger: silentLogger, adapters });
    const workers = startWorkers(context);
    try {
      const run = await until('the wake to be served', () =>
        harness.db.heartbeatRun.findFirst({ where: { agentId: agent.id, status: 'succeeded' } }),
      );
      expect(run.wakeReasons).toMatchObject([{ commentId: made.body.id }]);
    } finally {
      await workers.close(AT_ONCE);
      await context.close();
    }
  });
});
