import type { Role, TokenScope } from '@switchyard/types';
import { openAsker } from '../../../test/ask';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { AGENT_TOOL_ROWS, BOARD_TOOL_ROWS, type ToolRow } from '../../../test/tool-rows';
import { buildSide, fill, type Ids, type Side } from '../../../test/world';
import { AGENT_TOOLS } from './agent/agent-tools';
import { BOARD_READS, BOARD_TOOLS } from './board/board-tools';

interface Caller {
  name: string;
  authorization: string | undefined;
  tools: ReadonlySet<string>;
  agentId?: string;
  companyId?: string;
}

interface Way {
  own: Side;
  foreign: Side;
  callers: Caller[];
}

const setOf = ({ tools }: { tools: ReadonlyMap<string, unknown> }) => new Set(tools.keys());
const NO_TOOLS: ReadonlySet<string> = new Set();

describe('the tools at /mcp', () => {
  const harness = useAuthenticatedHarness();
  let asker: ReturnType<typeof openAsker>;
  let rest: Way;
  let mcp: Way;

  beforeAll(async () => {
    asker = openAsker(harness.url);
    rest = await way();
    mcp = await way();
  });
  afterAll(() => asker.close());

  async function way(): Promise<Way> {
    const building = { ...harness, api: harness.founding };
    const own = await buildSide(building);
    const foreign = await buildSide(building);
    const run = await harness.build.liveRun(own.agent);
    const agents = { tools: setOf(AGENT_TOOLS), companyId: own.ids.companyId };
    const token = async (name: string, side: Side, role: Role, scope: TokenScope) => {
      const person = await harness.operator(side.ids.companyId, role);
      const sent = { name: 'x', scope };
      const { body } = await harness.as(person).post('/api/auth/tokens').send(sent).expect(201);
      const tools = setOf(scope === 'read' ? BOARD_READS : BOARD_TOOLS);
      return { name, tools, authorization: `Bearer ${body.token}` };
    };
    const key = async (name: string, side: Side, agentId: string): Promise<Caller> => ({
      ...agents,
      name,
      agentId,
      companyId: side.ids.companyId,
      authorization: await harness.build.apiKey(agentId),
    });
    const callers = [
      { name: 'no credential', tools: NO_TOOLS, authorization: undefined },
      { name: 'an invalid token', tools: NO_TOOLS, authorization: 'Bearer garbage' },
      await key('an agent key', own, own.agent.id),
      { ...agents, ...run, name: 'a run token', agentId: own.agent.id },
      await key("a colleague's key", own, own.colleague.id),
      await key('a key of another company', foreign, foreign.agent.id),
      await token("a viewer's token", own, 'viewer', 'write'),
      await token("an operator's token", own, 'operator', 'write'),
      await token("an owner's token", own, 'owner', 'write'),
      await token("an owner's token for reading", own, 'owner', 'read'),
      await token('a token of another company', foreign, 'owner', 'write'),
    ];
    return { own, foreign, callers };
  }

  function idsAt({ own, foreign }: Way, place: string, row: ToolRow, caller: Caller): Ids {
    const ids = { ...(place === 'foreign' ? foreign : own).ids };
    if (AGENT_TOOL_ROWS.includes(row)) {
      ids.companyId = caller.companyId ?? ids.companyId;
      ids.callerId = caller.agentId ?? ids.agentId;
    }
    return ids;
  }

  async function askRest(row: ToolRow, { authorization }: Caller, ids: Ids): Promise<string> {
    const [method = '', path = ''] = row.operation.split(' ');
    const search = path.endsWith('/search') ? '?q=Issue' : '';
    const { status, body } = await asker.ask({
      method,
      path: fill(path, ids) + search,
      headers: { authorization },
      ...(method !== 'GET' && { body: row.body?.(ids) ?? {} }),
    });
    return status < 400 ? 'allowed' : (body as { code: string }).code;
  }

  async function askTool({ tool, args }: ToolRow, { authorization }: Caller, ids: Ids) {
    const params = { name: tool, arguments: args(ids) };
    const { status, body } = await asker.ask({
      method: 'POST',
      path: '/mcp',
      headers: { authorization, accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    if (status >= 400) return (body as { code: string }).code;
    const { result } = body as { result: { isError?: boolean; content: { text: string }[] } };
    return result.isError ? result.content[0]?.text.split(':')[0] : 'allowed';
  }

  const rows = [...AGENT_TOOL_ROWS, ...BOARD_TOOL_ROWS];

  it('all have a row with the operation behind them', () => {
    const named = (all: readonly ToolRow[]) => new Set(all.map(({ tool }) => tool));
    expect(named(AGENT_TOOL_ROWS)).toEqual(setOf(AGENT_TOOLS));
    expect(named(BOARD_TOOL_ROWS)).toEqual(setOf(BOARD_TOOLS));
  });

  it.each(rows.map((row) => [`${row.tool}, ${row.operation}`, row] as const))(
    'answer each caller in each company like the API: %s',
    async (_name, row) => {
      const isForAgents = AGENT_TOOL_ROWS.includes(row);
      const outcomes: Record<string, unknown>[] = [];
      const expected: Record<string, unknown>[] = [];
      for (const [at, caller] of mcp.callers.entries()) {
        const isOffered = caller.tools.has(row.tool);
        if (isOffered && isForAgents !== (caller.agentId !== undefined)) continue;
        const restCaller = rest.callers[at] as Caller;
        for (const place of ['foreign', 'own']) {
          const what = { caller: caller.name, place };
          const tool = await askTool(row, caller, idsAt(mcp, place, row, caller));
          const api = () => askRest(row, restCaller, idsAt(rest, place, row, restCaller));
          outcomes.push({ ...what, outcome: tool });
          const outcome = isOffered || caller.tools === NO_TOOLS ? await api() : 'not_found';
          expected.push({ ...what, outcome });
        }
      }
      expect(outcomes).toEqual(expected);
    },
  );
});
