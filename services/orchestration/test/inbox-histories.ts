import { newId } from '@switchyard/db';
import type { AdapterOutcome } from '@switchyard/runner/agents/agent-adapter';
import { ISSUE_STATUSES } from '@switchyard/types';
import fc from 'fast-check';
import type { Harness } from './harness';

export interface Step {
  verb: keyof typeof VERBS;
  a: number;
  b: number;
  c: number;
}

export interface World {
  harness: Harness;
  companyId: string;
  projectId: string;
}

export async function foundWorld(harness: Harness): Promise<World> {
  const { id: companyId } = await harness.build.company();
  for (let at = 0; at < 3; at++) await addAgent({ harness, companyId }, at);
  const { id: projectId } = await harness.build.project({ companyId });
  return { harness, companyId, projectId };
}

export async function happen(world: World, { verb, a, b, c }: Step): Promise<void> {
  await VERBS[verb](world, a, b, c);
}

const OUTCOMES: AdapterOutcome[] = [
  { status: 'succeeded', exitCode: 0 },
  { status: 'failed', exitCode: 1, errorCode: 'adapter_exit', error: 'no', transient: false },
  { status: 'timed_out', exitCode: null, errorCode: 'timeout', error: 'too long' },
  {
    status: 'failed',
    exitCode: 1,
    errorCode: 'busy',
    error: 'later',
    transient: true,
    retryAfterMs: 3_600_000,
  },
];

type Verb = (world: World, a: number, b: number, c: number) => Promise<unknown>;

const VERBS = {
  issue: async (world, a, b, c) => {
    const agent = await pick(world, 'agent', b);
    const other = await pick(world, 'issue', c);
    await send(world, 'post', `/api/companies/${world.companyId}/issues`, {
      title: `Issue ${a}`,
      status: ['backlog', 'todo', 'todo', 'todo', 'blocked', 'in_review'][a % 6],
      ...(b % 4 > 0 && agent && { assigneeAgentId: agent.id }),
      ...(b % 4 === 0 && c % 3 === 0 && { assigneeUserId: 'local-board' }),
      ...(other && c % 5 === 0 && { parentId: other.id }),
      ...(other && c % 5 === 1 && { blockedBy: [other.id] }),
    });
  },
  move: async (world, a, b) => {
    const issue = await pick(world, 'issue', a);
    const status = ISSUE_STATUSES[b % ISSUE_STATUSES.length];
    if (issue) await send(world, 'patch', `/api/issues/${issue.id}`, { status });
  },
  assign: async (world, a, b, c) => {
    const issue = await pick(world, 'issue', a);
    const agent = c % 4 ? await pick(world, 'agent', b) : null;
    const body = { assigneeUserId: null, assigneeAgentId: agent?.id ?? null };
    if (issue) await send(world, 'patch', `/api/issues/${issue.id}`, body);
  },
  checkout: async (world, a, b, c) => {
    const issue = await pick(world, 'issue', a);
    const agent = await pick(world, 'agent', b);
    const agentId = c % 4 ? (issue?.assigneeAgentId ?? agent?.id) : undefined;
    const expectedStatuses = ['todo', 'backlog', 'blocked', 'in_progress'];
    const body = { expectedStatuses, ...(agentId && { agentId }) };
    if (issue) await send(world, 'post', `/api/issues/${issue.id}/checkout`, body);
  },
  complete: async (world, a) => {
    const issue = await pick(world, 'issue', a);
    if (issue) await send(world, 'post', `/api/issues/${issue.id}/complete`, {});
  },
  reopen: async (world, a) => {
    const issue = await pick(world, 'issue', a);
    if (issue) await send(world, 'post', `/api/issues/${issue.id}/reopen`, {});
  },
  release: async (world, a) => {
    const issue = await pick(world, 'issue', a);
    if (issue) await send(world, 'post', `/api/issues/${issue.id}/release`, {});
  },
  comment: async (world, a, b) => {
    const issue = await pick(world, 'issue', a);
    const agent = await pick(world, 'agent', b);
    const body = `[@x](agent://${agent?.id}) please look`;
    if (issue) await send(world, 'post', `/api/issues/${issue.id}/comments`, { body });
  },
  callBoard: async (world, a, b) => {
    const { build, api } = world.harness;
    const issue = await pick(world, 'issue', a);
    const agent = await pick(world, 'agent', b);
    if (!issue || !agent) return;
    const run = await build.liveRun(agent as never);
    const path = `/api/issues/${issue.id}/comments`;
    await api.post(path).set('Authorization', run.authorization).send({ body: '@board which?' });
    await build.endLiveRun(run.id);
  },
  invoke: async (world, a, b) => {
    const agent = await pick(world, 'agent', a);
    const issue = b % 2 ? await pick(world, 'issue', b) : null;
    const body = issue ? { issueId: issue.id } : {};
    if (agent) await send(world, 'post', `/api/agents/${agent.id}/heartbeat/invoke`, body);
  },
  outcome: async ({ harness, companyId }, a, b) => {
    const agent = await pick({ harness, companyId }, 'agent', a);
    const outcome = OUTCOMES[b % OUTCOMES.length] as AdapterOutcome;
    if (agent) harness.scripted.on(agent.id, () => outcome);
  },
  work: async ({ harness }) => harness.drain(),
  pause: async (world, a) => {
    const agent = await pick(world, 'agent', a);
    if (agent) await send(world, 'post', `/api/agents/${agent.id}/pause`);
  },
  resume: async (world, a) => {
    const agent = await pick(world, 'agent', a);
    if (agent) await send(world, 'post', `/api/agents/${agent.id}/resume`);
  },
  terminate: async (world, a, b) => {
    const agent = b % 4 === 0 ? await pick(world, 'agent', a) : null;
    if (agent) await send(world, 'post', `/api/agents/${agent.id}/terminate`);
  },
  spend: async (world, a, b) => {
    const agent = await pick(world, 'agent', a);
    const cost = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: b };
    const body = { ...cost, agentId: agent?.id };
    await send(world, 'post', `/api/companies/${world.companyId}/cost-events`, body);
  },
  budget: async (world, a, b) => {
    const agent = await pick(world, 'agent', a);
    const body = { budgetMonthlyCents: [100, 50, 1_000][b % 3] };
    if (agent) await send(world, 'patch', `/api/agents/${agent.id}`, body);
  },
  companyBudget: async (world, a) => {
    const body = { budgetMonthlyCents: [150, 1_000, 100_000][a % 3] };
    await send(world, 'patch', `/api/companies/${world.companyId}`, body);
  },
  ask: async (world, a, b, c) => {
    const issue = await pick(world, 'issue', a);
    const options = [{ key: 'yes', label: 'Yes' }];
    const question = { title: 'May I?', ...(c % 2 && { options }) };
    await send(world, 'post', `/api/companies/${world.companyId}/approvals`, {
      type: b % 2 ? 'board_question' : 'approve_ceo_strategy',
      ...(b % 2 && { payload: question }),
      ...(issue && { issueIds: [issue.id] }),
    });
  },
  hire: async (world, a) => {
    const body = { name: `Hire ${a} ${newId()}` };
    await send(world, 'post', `/api/companies/${world.companyId}/agent-hires`, body);
  },
  decide: async (world, a, b) => {
    const approval = await pick(world, 'approval', a);
    const verb = ['approve', 'reject', 'request-revision', 'resubmit'][b % 4];
    if (approval) await send(world, 'post', `/api/approvals/${approval.id}/${verb}`, {});
  },
  routine: async (world, a, b) => {
    const { harness, companyId, projectId } = world;
    const agent = await pick(world, 'agent', a);
    const fields = { title: `Routine ${a}`, assigneeAgentId: agent?.id, projectId };
    await send(world, 'post', `/api/companies/${companyId}/routines`, fields);
    const routine = await pick(world, 'routine', 99);
    const cronExpression = ['0 0 1 1 *', '*/5 * * * *'][b % 2];
    const trigger = b % 3 ? { kind: 'schedule', cronExpression } : { kind: 'webhook' };
    if (routine) await send({ harness }, 'post', `/api/routines/${routine.id}/triggers`, trigger);
  },
  fire: async (world, a) => {
    const routine = await pick(world, 'routine', a);
    if (routine) await send(world, 'post', `/api/routines/${routine.id}/run`, {});
  },
  changeRoutine: async (world, a, b) => {
    const routine = await pick(world, 'routine', a);
    const status = ['active', 'paused', 'active', 'archived'][b % 4];
    if (routine) await send(world, 'patch', `/api/routines/${routine.id}`, { status });
  },
  breakTrigger: async ({ harness, companyId }, a) => {
    const triggers = await harness.db.routineTrigger.findMany({ where: { companyId } });
    const id = triggers[a % Math.max(1, triggers.length)]?.id;
    const data = { failureCount: 5, failureReason: 'broken', ...(a % 2 && { nextRunAt: null }) };
    if (id) await harness.db.routineTrigger.update({ where: { id }, data });
  },
  pauseCompany: async (world, a) => {
    const body = { status: a % 3 ? 'active' : 'paused' };
    await send(world, 'patch', `/api/companies/${world.companyId}`, body);
  },
  check: async ({ harness, companyId }, a, b) => {
    const agent = await pick({ harness, companyId }, 'agent', a);
    if (!agent) return;
    const agentId = agent.id;
    const errors = b % 2 ? [{ code: 'command_not_found', message: 'no program' }] : [];
    const write = { errors, checkedAt: new Date() };
    const create = { companyId, agentId, ...write };
    await harness.db.agentLastCheck.upsert({ where: { agentId }, update: write, create });
  },
  secret: async ({ harness, companyId }, a, b) => {
    const agent = await pick({ harness, companyId }, 'agent', a);
    const { id: secretId } = await harness.build.secret({ companyId });
    const adapterConfig = { env: { TOKEN: { type: 'secret_ref', secretId } } };
    if (agent) await send({ harness }, 'patch', `/api/agents/${agent.id}`, { adapterConfig });
    if (b % 2) return;
    await harness.db.secretVersion.deleteMany({ where: { secretId } });
    await harness.db.secret.delete({ where: { id: secretId } });
  },
  age: async ({ harness, companyId }) => {
    const day = "interval '25 hours'";
    await harness.context.db.pool.query(
      `UPDATE issue SET updated_at = updated_at - ${day}, status_since = status_since - ${day}
       WHERE company_id = $1`,
      [companyId],
    );
  },
  ageRuns: async ({ harness, companyId }) => {
    await harness.context.db.pool.query(
      `UPDATE heartbeat_run SET created_at = created_at - interval '15 days' WHERE company_id = $1`,
      [companyId],
    );
  },
  retry: async (world, a) => {
    const run = await pick(world, 'heartbeatRun', a);
    if (run) await send(world, 'post', `/api/heartbeat-runs/${run.id}/retry`);
  },
  cancelRun: async (world, a) => {
    const run = await pick(world, 'heartbeatRun', a);
    if (run) await send(world, 'post', `/api/heartbeat-runs/${run.id}/cancel`);
  },
} satisfies Record<string, Verb>;

const OFTEN: (keyof typeof VERBS)[] = ['issue', 'issue', 'issue', 'checkout', 'invoke', 'work'];

export const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    verb: fc.constantFrom(...OFTEN, ...OFTEN, ...(Object.keys(VERBS) as (keyof typeof VERBS)[])),
    a: fc.nat(99),
    b: fc.nat(99),
    c: fc.nat(99),
  }),
  { minLength: 12, maxLength: 40 },
);

async function addAgent({ harness, companyId }: Pick<World, 'harness' | 'companyId'>, at: number) {
  const agent = await harness.build.agent({ companyId, wakeOnAssignment: at === 0 });
  harness.scripted.on(agent.id, () => OUTCOMES[at % 2] as AdapterOutcome);
  return agent;
}

type Table = 'agent' | 'issue' | 'approval' | 'routine' | 'heartbeatRun';

async function pick(
  { harness, companyId }: Pick<World, 'harness' | 'companyId'>,
  table: Table,
  at: number,
): Promise<{ id: string; assigneeAgentId?: string | null } | undefined> {
  const model = harness.db[table] as unknown as {
    findMany(query: object): Promise<{ id: string; assigneeAgentId?: string | null }[]>;
  };
  const rows = await model.findMany({ where: { companyId }, orderBy: { createdAt: 'asc' } });
  return rows[at % Math.max(1, rows.length)];
}

async function send(
  { harness }: Pick<World, 'harness'>,
  method: 'post' | 'patch',
  path: string,
  body?: object,
): Promise<void> {
  const answer = await harness.api[method](path).send(body);
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
}
