import { until } from '@switchyard/testing';
import type {
  AgentDetailView,
  ApprovalView,
  CreatedIssueView,
  WakeReason,
} from '@switchyard/types';
import { CLAIM_AND_FINISH, DELEGATE } from './agent-programs';
import { useHarness } from './harness';
import { startHostProcesses, type WorkerProcess } from './worker-process';

describe('delegated work', () => {
  const harness = useHarness();
  const workers: WorkerProcess[] = [];

  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.signal('SIGKILL');
      await worker.ended;
    }
  });

  const post = async <T>(path: string, body: object) =>
    (await harness.api.post(path).send(body).expect(201)).body as T;
  const agentOf = (companyId: string, name: string, program: object, reportsTo?: string) =>
    post<AgentDetailView>(`/api/companies/${companyId}/agents`, {
      name,
      adapterType: 'process',
      adapterConfig: program,
      ...(reportsTo && { reportsTo }),
    });
  const runsOf = async (agentId: string) => {
    const runs = await harness.db.heartbeatRun.findMany({
      where: { agentId },
      orderBy: { createdAt: 'asc' },
    });
    return runs.map(({ status, wakeReasons }) => {
      const wakes = wakeReasons as unknown as WakeReason[];
      return [status, ...wakes.map(({ source, reason }) => reason ?? source)];
    });
  };

  it('follows the order of its blockers, and then wakes the delegating agent once', async () => {
    for (let count = 0; count < 2; count++) workers.push(await startHostProcesses(harness.config));
    const { id: companyId } = await harness.build.company();
    const manager = await agentOf(companyId, 'Manager', DELEGATE);
    const staff: AgentDetailView[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      staff.push(await agentOf(companyId, name, CLAIM_AND_FINISH, manager.id));
    }
    const issue = await post<CreatedIssueView>(`/api/companies/${companyId}/issues`, {
      title: 'Ship it',
      status: 'todo',
      assigneeAgentId: manager.id,
    });
    expect(issue.woken).toMatchObject([{ agentId: manager.id, outcome: 'queued', reason: null }]);

    const pending = `/api/companies/${companyId}/approvals?status=pending`;
    const question = await until(
      'the manager to ask the board',
      async () => ((await harness.api.get(pending)).body as ApprovalView[])[0],
    );
    const answer = { option: 'ship', note: 'well done' };
    await harness.api.post(`/api/approvals/${question.id}/answer`).send(answer).expect(200);
    const path = `/api/issues/${issue.id}`;
    const isDone = async () => (await harness.api.get(path)).body.status === 'done';
    await until('the manager to finish', isDone);
    const isIdle = async () =>
      (await harness.db.heartbeatRun.count({
        where: { companyId, status: { in: ['queued', 'running'] } },
      })) === 0;
    await until('the last run to end', isIdle);

    expect(await runsOf(manager.id)).toEqual([
      ['succeeded', 'assignment'],
      ['succeeded', 'children_ended'],
      ['succeeded', expect.any(String)],
    ]);
    const [one, two, three] = await Promise.all(staff.map(({ id }) => runsOf(id)));
    expect([one, two, three]).toEqual([
      [['succeeded', 'assignment']],
      [['succeeded', 'assignment']],
      [['succeeded', 'blockers_ended']],
    ]);
    const children = await harness.db.issue.findMany({
      where: { parentId: issue.id },
      orderBy: { completedAt: 'asc' },
    });
    expect(children.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect(children.at(-1)?.title).toBe('Last');
    const { body: comments } = await harness.api.get(`${path}/comments`).expect(200);
    expect(comments).toMatchObject([{ body: 'The board says ship: well done' }]);
  }, 180_000);
});
