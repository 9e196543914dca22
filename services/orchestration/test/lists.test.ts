import { listIssuesQuery } from '@switchyard/types';
import { readEvents } from '../src/features/events/read-events';
import { markOfList } from '../src/features/issues/listing/choice';
import { markOf } from '../src/lists/page';
import { useHarness } from './harness';

interface Statement {
  text: string;
  values: unknown[];
}

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Parent Relationship'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const choosingNodesOf = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? [])
    .filter((part) => part['Parent Relationship'] !== 'SubPlan')
    .flatMap(choosingNodesOf),
];

/**
 * Counts statements, and checks that an index returns the rows in order. `npm run bench -- filters`
 * measures the time.
 */
describe('the statements of lists', () => {
  const harness = useHarness();
  let paths: Record<string, string>;
  let agentId: string;
  let issueId: string;

  beforeAll(async () => {
    const { build, api } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    agentId = agent.id;
    issueId = (await build.issue({ companyId })).id;
    await api.post(`/api/issues/${issueId}/comments`).send({ body: 'one' }).expect(201);
    await build.queuedRun(agentId);
    const at = `/api/companies/${companyId}`;
    const { id: routineId } = await build.routine({ companyId, assigneeAgentId: agentId });
    await api.post(`/api/routines/${routineId}/run`).expect(202);
    paths = {
      issues: `${at}/issues`,
      agents: `${at}/agents`,
      comments: `/api/issues/${issueId}/comments`,
      labels: `${at}/labels`,
      'approvals of an issue': `/api/issues/${issueId}/approvals`,
      runs: `${at}/heartbeat-runs`,
      activity: `${at}/activity`,
      goals: `${at}/goals`,
      projects: `${at}/projects`,
      approvals: `${at}/approvals`,
      routines: `${at}/routines`,
      firings: `/api/routines/${routineId}/runs`,
    };
  });

  const ask = (path: string) => asked(() => harness.api.get(path).expect(200));

  const asked = async (work: () => PromiseLike<unknown>): Promise<Statement[]> => {
    const query = jest.spyOn(harness.context.db.pool, 'query');
    try {
      await work();
      return query.mock.calls.map(([first, values]) => {
        const statement = first as unknown as Partial<Statement> & { text: string };
        return { text: statement.text, values: statement.values ?? (values as unknown[]) ?? [] };
      });
    } finally {
      query.mockRestore();
    }
  };

  /** Disables sorting and full scans, so that the plan shows what the indexes make possible. */
  const plan = async ({ text, values }: Statement): Promise<PlanNode[]> => {
    const client = await harness.context.db.pool.connect();
    try {
      await client.query('BEGIN');
      for (const way of ['seqscan', 'bitmapscan', 'sort']) {
        await client.query(`SET LOCAL enable_${way} = off`);
      }
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
      return nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };

  const [AGENT, ISSUE, PROJECT] = ['AGENT', 'ISSUE', '00000000-0000-7000-8000-000000000000'];
  const NEWEST = ['2026-01-01T00:00:00.000Z', PROJECT];
  const cursorOf = (cursor: unknown[]) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

  it.each([
    ['issues', '', 'issue_company_id_priority_rank_created_at_id_idx'],
    ['issues', 'status=todo', 'issue_company_id_status_priority_rank_created_at_id_idx'],
    ['issues', 'status=todo,done', 'issue_company_id_status_priority_rank_created_at_id_idx'],
    ['issues', `assigneeAgentId=${AGENT}`, 'issue_list_of_assignee'],
    ['issues', `status=todo,done&assigneeAgentId=${AGENT}`, 'issue_list_of_assignee'],
    ['issues', `projectId=${PROJECT}`, 'issue_list_of_project'],
    ['issues', `status=todo&projectId=${PROJECT}`, 'issue_list_of_project'],
    [
      'issues',
      `assigneeAgentId=${AGENT}&projectId=${PROJECT}`,
      'issue_list_of_assignee_and_project',
    ],
    ['issues', 'sort=updated', 'issue_list_by_update'],
    ['issues', 'sort=updated&status=todo,done', 'issue_list_by_update'],
    ['issues', 'sort=created', 'issue_list_by_creation'],
    ['issues', 'sort=created&status=todo', 'issue_list_by_creation'],
    ['issues', 'sort=due', 'issue_list_by_due_date'],
    ['issues', 'sort=due&status=todo,blocked', 'issue_list_by_due_date'],
    ['agents', '', 'agent_company_id_created_at_id_idx'],
    ['labels', '', 'label_company_id_created_at_id_idx'],
    ['goals', '', 'goal_company_id_created_at_id_idx'],
    ['projects', '', 'project_company_id_created_at_id_idx'],
    ['approvals', '', 'approval_company_id_created_at_id_idx'],
    ['routines', '', 'routine_company_id_created_at_id_idx'],
    ['firings', '', 'routine_run_company_id_routine_id_created_at_id_idx'],
    ['approvals', 'status=pending', 'approval_company_id_status_created_at_id_idx'],
    ['comments', '', 'issue_comment_issue_id_created_at_id_idx'],
    ['comments', 'order=asc', 'issue_comment_issue_id_created_at_id_idx'],
    ['runs', '', 'heartbeat_run_company_id_created_at_id_idx'],
    ['runs', 'status=failed,queued', 'heartbeat_run_company_id_status_created_at_id_idx'],
    ['runs', `agentId=${AGENT}`, 'heartbeat_run_agent_id_status_created_at_id_idx'],
    ['runs', `agentId=${AGENT}&status=failed`, 'heartbeat_run_agent_id_status_created_at_id_idx'],
    ['runs', `issueId=${ISSUE}`, 'heartbeat_run_company_id_issue_id_created_at_id_idx'],
    [
      'runs',
      `issueId=${ISSUE}&agentId=${AGENT}&status=failed,queued`,
      'heartbeat_run_company_id_issue_id_created_at_id_idx',
    ],
    ['activity', '', 'activity_company_id_created_at_id_idx'],
    ['activity', 'entityType=issue', 'activity_company_id_entity_type_created_at_id_idx'],
    ['activity', `entityId=${ISSUE}`, 'activity_company_id_entity_id_created_at_id_idx'],
    ['activity', `actorId=${AGENT}`, 'activity_company_id_actor_id_created_at_id_idx'],
    ['activity', 'action=issue.updated', 'activity_company_id_action_created_at_id_idx'],
  ])(
    'read %s?%s through the index %s in order, on the first page and on later pages',
    async (list, query, index) => {
      const filled = query.replace(AGENT, agentId).replace(ISSUE, issueId);
      const issues = () => listIssuesQuery.parse(Object.fromEntries(new URLSearchParams(filled)));
      const cursors: Record<string, () => unknown[]> = {
        issues: () => [2, ...NEWEST, markOfList(issues())],
        comments: () => [...NEWEST, markOf(['desc', undefined])],
      };
      const cursor = cursorOf(cursors[list]?.() ?? NEWEST);
      const hasOtherOrder = /sort=|order=/.test(query);
      for (const page of hasOtherOrder ? [''] : ['', `&cursor=${cursor}`]) {
        const statements = await ask(`${paths[list]}?${filled}${page}`);
        const own = statements.filter(({ text }) => /ORDER BY[\s\S]*LIMIT/i.test(text));
        expect(own).toHaveLength(1);
        const nodes = await plan(own[0] as Statement);
        const typesOf = (some: PlanNode[]) => some.map((node) => node['Node Type']);
        expect(typesOf(choosingNodesOf(nodes[0] as PlanNode))).not.toContain('Sort');
        expect(typesOf(nodes)).not.toContain('Seq Scan');
        expect(nodes.map((node) => node['Index Name'])).toContain(index);
      }
    },
  );

  it('read the events of a stream through the index of event positions, in order', async () => {
    const { db } = harness.context;
    const { companyId } = (await harness.api.get(`/api/agents/${agentId}`)).body;
    const from = { transaction: 1n, sequence: 1n };
    const [statement] = await asked(() => readEvents(db, companyId, from));
    const nodes = await plan(statement as Statement);
    const index = nodes.filter(
      (node) => node['Index Name'] === 'activity_company_id_transaction_id_sequence_idx',
    );
    const rows = index.find((node) => node['Index Cond']?.includes('ROW('));
    expect(rows?.['Index Cond']).toMatch(/company_id = .*ROW\(transaction_id, sequence\) > /);
  });

  it.each(['issues', 'agents', 'comments', 'runs', 'activity'])(
    'do not increase in number with the number of %s',
    async (list) => {
      const { build, api } = harness;
      const path = paths[list] as string;
      const companyId = (await api.get(`/api/agents/${agentId}`)).body.companyId as string;
      const few = await ask(`${path}?limit=1`);
      for (let row = 0; row < 12; row++) {
        const agent = await build.agent({ companyId });
        await build.issue({ companyId });
        await build.queuedRun(agent.id);
        await api.post(`/api/issues/${issueId}/comments`).send({ body: 'more' }).expect(201);
      }
      const many = await ask(path);
      expect((await api.get(path)).body.length).toBeGreaterThan(10);
      expect(many.map(({ text }) => text)).toHaveLength(few.length);
    },
  );
});
