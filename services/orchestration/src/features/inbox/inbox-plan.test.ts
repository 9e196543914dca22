import { useHarness } from '../../../test/harness';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** What makes the inbox quick, without a clock; how quick it is shows `test/inbox.bench.ts`. */
describe('the statement of the inbox', () => {
  const harness = useHarness();

  const asked = async (path: string) => {
    const query = jest.spyOn(harness.context.db.pool, 'query');
    try {
      await harness.api.get(path).expect(200);
      const calls = query.mock.calls.map(([first]) => first as unknown as Asked);
      return calls.filter(({ name }) => !name?.startsWith('owner-'));
    } finally {
      query.mockRestore();
    }
  };
  interface Asked {
    name: string;
    text: string;
    values: unknown[];
  }

  it.each(['inbox', 'inbox?include=snoozed,dismissed', 'inbox/counts'])(
    '%s is one, and reads no table from end to end',
    async (path) => {
      const { id } = await harness.build.company();
      const statements = await asked(`/api/companies/${id}/${path}`);
      expect(statements).toHaveLength(1);
      const [{ text, values }] = statements as [Asked];
      const client = await harness.context.db.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query('SET LOCAL enable_seqscan = off');
        const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
        const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode);
        const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
        expect(whole.map((node) => node['Relation Name'])).toEqual([]);
        const indexes = nodes.map((node) => node['Index Name']);
        expect(indexes).toContain('heartbeat_run_of_merged_wakes');
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    },
  );
});
