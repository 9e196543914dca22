import { until } from '@switchyard/testing';
import type {
  AgentDetailView,
  CompanyView,
  CreatedIssueView,
  HeartbeatRunView,
  IssueDetailView,
} from '@switchyard/types';
import supertest from 'supertest';
import { CLAIM_AND_FINISH } from './agent-programs';
import { startApiProcess } from './api-process';
import { useHarness } from './harness';
import { startHostProcesses, type WorkerProcess } from './worker-process';

describe('API, worker and runner processes', () => {
  const harness = useHarness();
  const processes: WorkerProcess[] = [];

  afterAll(async () => {
    for (const each of processes) each.signal('SIGKILL');
    await Promise.all(processes.map(({ ended }) => ended));
  });

  it('complete an assigned issue and store the log of the run', async () => {
    const api = await startApiProcess(harness.config);
    processes.push(api);
    processes.push(await startHostProcesses({ ...harness.config, publicUrl: api.url }));
    const request = supertest(api.url);
    const post = async <T>(path: string, body: object) =>
      (await request.post(path).send(body).expect(201)).body as T;
    const read = async <T>(path: string) => (await request.get(path).expect(200)).body as T;

    const company = await post<CompanyView>('/api/companies', { name: 'Smoke' });
    const agent = await post<AgentDetailView>(`/api/companies/${company.id}/agents`, {
      name: 'Ada',
      adapterType: 'process',
      adapterConfig: CLAIM_AND_FINISH,
    });
    const issue = await post<CreatedIssueView>(`/api/companies/${company.id}/issues`, {
      title: 'Say hello',
      status: 'todo',
      assigneeAgentId: agent.id,
    });

    const isDone = async () =>
      (await read<IssueDetailView>(`/api/issues/${issue.id}`)).status === 'done';
    await until('the issue to be done', isDone);
    const runs = `/api/companies/${company.id}/heartbeat-runs?agentId=${agent.id}`;
    const run = await until('the run to end', async () =>
      (await read<HeartbeatRunView[]>(runs)).find(({ status }) => status !== 'running'),
    );
    expect(run).toMatchObject({ status: 'succeeded', issueId: issue.id, attempt: 1 });
    const comments = await read<{ body: string; authorAgentId: string }[]>(
      `/api/issues/${issue.id}/comments`,
    );
    expect(comments).toMatchObject([{ body: 'finished', authorAgentId: agent.id }]);
    const log = await request.get(`/api/heartbeat-runs/${run.id}/log`).expect(200);
    expect(log.body.content).toContain(`finished ${issue.id}`);
  });
});
