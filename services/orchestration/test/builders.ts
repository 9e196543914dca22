import { randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import type {
  AgentDetailView,
  CompanyView,
  CreateAgentBody,
  CreatedIssueView,
  CreateGoalBody,
  CreateIssueBody,
  CreateProjectBody,
  CreateRoutineBody,
  CreateSecretBody,
  CreateTriggerBody,
  GoalView,
  HeartbeatRunView,
  ProjectDetailView,
  RotatedTriggerView,
  RoutineTriggerView,
  RoutineView,
  SavedAgentView,
  SecretView,
} from '@switchyard/types';
import type supertest from 'supertest';
import { findApiKeyActor } from '../src/access/api-keys';
import { signRunToken } from '../src/access/run-token';
import type { Context } from '../src/kernel/context';

export const unique = (word: string) => `${word} ${randomBytes(4).toString('hex')}`;

export interface LiveRun {
  id: string;
  agent: AgentDetailView;
  authorization: string;
}

export function createBuilders(context: Context, api: ReturnType<typeof supertest>) {
  const post = async <T>(path: string, body: object): Promise<T> => {
    const response = await api.post(path).send(body);
    if (response.status >= 300) throw new Error(`${path}: ${JSON.stringify(response.body)}`);
    return response.body as T;
  };

  const company = (body: Record<string, unknown> = {}) =>
    post<CompanyView>('/api/companies', { name: unique('Company'), ...body });

  const agent = async (body: Partial<CreateAgentBody> & { companyId?: string } = {}) => {
    const { companyId = (await company()).id, ...fields } = body;
    const { warnings: _, ...made } = await post<SavedAgentView>(
      `/api/companies/${companyId}/agents`,
      {
        name: unique('Agent'),
        adapterType: 'scripted',
        wakeOnAssignment: false,
        ...fields,
      },
    );
    return made as AgentDetailView;
  };

  const issue = async (body: Partial<CreateIssueBody> & { companyId?: string } = {}) => {
    const { companyId = (await company()).id, ...fields } = body;
    const { woken: _, ...made } = await post<CreatedIssueView>(
      `/api/companies/${companyId}/issues`,
      { title: unique('Issue'), ...fields },
    );
    return made;
  };

  const goal = async (body: Partial<CreateGoalBody> & { companyId?: string } = {}) => {
    const { companyId = (await company()).id, ...fields } = body;
    const path = `/api/companies/${companyId}/goals`;
    return post<GoalView>(path, { title: unique('Goal'), ...fields });
  };

  const project = async (body: Partial<CreateProjectBody> & { companyId?: string } = {}) => {
    const { companyId = (await company()).id, ...fields } = body;
    const path = `/api/companies/${companyId}/projects`;
    return post<ProjectDetailView>(path, { name: unique('Project'), ...fields });
  };

  const secret = async (body: Partial<CreateSecretBody> & { companyId?: string } = {}) => {
    const { companyId = (await company()).id, ...fields } = body;
    const path = `/api/companies/${companyId}/secrets`;
    return post<SecretView>(path, { name: unique('SECRET'), value: unique('value'), ...fields });
  };

  const routine = async (body: Partial<CreateRoutineBody> & { companyId?: string } = {}) => {
    const { companyId = (await company()).id, ...given } = body;
    const assigneeAgentId = given.assigneeAgentId ?? (await agent({ companyId })).id;
    const projectId = given.projectId ?? (await project({ companyId })).id;
    const fields = { title: unique('Routine'), ...given, assigneeAgentId, projectId };
    return post<RoutineView>(`/api/companies/${companyId}/routines`, fields);
  };

  const trigger = <Kind extends CreateTriggerBody['kind']>(
    routineId: string,
    body: Extract<CreateTriggerBody, { kind: Kind }>,
  ) =>
    post<Kind extends 'webhook' ? RotatedTriggerView : Extract<RoutineTriggerView, { kind: Kind }>>(
      `/api/routines/${routineId}/triggers`,
      body,
    );

  /**
   * Uses the key once, because its first use is recorded and would otherwise change rows during a
   * test.
   */
  const apiKey = async (agentId: string): Promise<string> => {
    const { key } = await post<{ key: string }>(`/api/agents/${agentId}/keys`, {});
    await findApiKeyActor(context.db, key, '127.0.0.1');
    return `Bearer ${key}`;
  };

  const queuedRun = (agentId: string, body: Record<string, unknown> = {}) =>
    post<HeartbeatRunView>(`/api/agents/${agentId}/heartbeat/invoke`, body);

  const liveRun = async (of: Partial<AgentDetailView> & { companyId?: string } = {}) => {
    const owner = of.id ? (of as AgentDetailView) : await agent({ companyId: of.companyId });
    const id = newId();
    await context.db.prisma.heartbeatRun.create({
      data: {
        id,
        companyId: owner.companyId,
        agentId: owner.id,
        status: 'running',
        source: 'manual',
        epoch: 1,
        startedAt: new Date(),
        leaseExpiresAt: new Date(Date.now() + 3_600_000),
        workerId: 'test',
      },
    });
    const claims = { runId: id, agentId: owner.id, companyId: owner.companyId, epoch: 1 };
    const token = signRunToken(context.config.runTokenSecret, claims, 3_600);
    return { id, agent: owner, authorization: `Bearer ${token}` } satisfies LiveRun;
  };

  const endLiveRun = async (runId: string) => {
    await context.db.pool.query(
      `UPDATE heartbeat_run SET status = 'succeeded', finished_at = now() WHERE id = $1`,
      [runId],
    );
  };

  return {
    company,
    goal,
    project,
    agent,
    issue,
    secret,
    routine,
    trigger,
    apiKey,
    queuedRun,
    liveRun,
    endLiveRun,
  };
}
