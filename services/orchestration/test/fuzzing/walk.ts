import { AGENT_TOOLS } from '../../src/http/mcp/agent/agent-tools';
import { BOARD_TOOLS } from '../../src/http/mcp/board/board-tools';
import { openAsker } from '../ask';
import { type AuthenticatedHarness, startAuthenticatedHarness } from '../authenticated-harness';
import { documentFaults } from '../documented-answers';
import { type Harness, startHarness } from '../harness';
import { document, lookRoutes, operationsOf } from '../operations';
import { type RouteRow, SECURITY_TABLE } from '../security-table';
import { AGENT_TOOL_ROWS, BOARD_TOOL_ROWS } from '../tool-rows';
import { buildSide, type Side } from '../world';
import { messagesFor } from './messages';
import { type Headers, oddly, questionsFor } from './questions';
import { closeAfter, type Exchange, judgeBy, type Sent, sendAll } from './send';

const OPERATIONS = operationsOf(document());
const UNLIMITED = { perCredential: null, perAddress: null, perTrigger: null };

const PROBES = ['/readyz', '/api/health'];

/** Each lane sends one request at a time to companies of its own, so that its seed repeats it. */
const LANES = 4;

interface Callers {
  board: Headers[];
  agent: Headers[];
  runner: Headers[];
  others: Headers[];
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

const as = (authorization: string): Headers => ({ authorization });

async function agentsOf({ build }: Pick<Harness, 'build'>, own: Side, foreign: Side) {
  const run = await build.liveRun(own.agent);
  const runner = { ...bearer(own.runnerToken), 'x-run-ticket': 'x'.repeat(43) };
  return {
    agent: [as(await build.apiKey(own.agent.id)), as(run.authorization)],
    runner: [runner],
    others: [
      as(await build.apiKey(own.colleague.id)),
      as(await build.apiKey(foreign.agent.id)),
      bearer('garbage'),
    ],
  };
}

function stageOf(name: string, row: RouteRow): number {
  if (/^(?:POST .*:companyId\/archive|DELETE .*:companyId)$/.test(name)) return 3;
  if (/^(?:DELETE|POST) \/api\/auth\//.test(name)) return 3;
  if (row.ownCompany) return 2;
  return name.startsWith('DELETE ') ? 1 : 0;
}

function callersOf(access: RouteRow['access'], { board, agent, runner, others }: Callers) {
  const all = [...board, ...agent, ...runner, ...others];
  if (access === 'runner') return [...runner, ...runner, ...runner, ...all];
  if (access === 'agent') return [...agent, ...agent, ...agent, ...all];
  const fitting = access === 'board' || access === 'owner' ? board : [...board, ...agent];
  return [...fitting, ...fitting, ...fitting, ...all];
}

function exchangesFor(callers: Callers, own: Side, foreign: Side): Exchange[] {
  const references = [...Object.values(own.ids), ...Object.values(foreign.ids)];
  const documentFault = documentFaults(lookRoutes());
  const [key = {}] = callers.agent;
  const operations = OPERATIONS.map((operation): Exchange => {
    const name = `${operation.method} ${operation.path}`;
    const row: RouteRow = SECURITY_TABLE[name] ?? { access: 'public' };
    const world = { ids: own.ids, references, key: key.authorization ?? '' };
    const questions = questionsFor(operation, row, {
      ...world,
      callers: callersOf(row.access, callers),
    });
    const isProbe = PROBES.includes(operation.path);
    const faultOf = judgeBy(operation, documentFault, { hasCodes: true, isProbe });
    return { questions: oddly(questions), faultOf, stage: stageOf(name, row) };
  });
  const ids = { ...own.ids, callerId: own.agent.id };
  return [
    ...operations,
    ...messagesFor(AGENT_TOOLS, AGENT_TOOL_ROWS, { ids, callers: callersOf('agent', callers) }),
    ...messagesFor(BOARD_TOOLS, BOARD_TOOL_ROWS, { ids, callers: callersOf('board', callers) }),
  ];
}

interface Walked {
  seed: number;
  perKind: number;
}

type Building = Parameters<typeof buildSide>[0];

async function walk(
  harness: Pick<Harness, 'url' | 'build' | 'close'>,
  building: Building,
  callersIn: (own: Side, foreign: Side) => Promise<Callers>,
  { seed, perKind }: Walked,
): Promise<Sent> {
  const asker = openAsker(harness.url);
  const lane = async (at: number) => {
    const own = await buildSide(building);
    const foreign = await buildSide(building);
    const exchanges = exchangesFor(await callersIn(own, foreign), own, foreign);
    return sendAll(asker.ask, exchanges, { seed: seed * LANES + at, perKind });
  };
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, at) => lane(at)));
  const sent = {
    count: lanes.reduce((sum, { count }) => sum + count, 0),
    accepted: lanes.reduce((sum, { accepted }) => sum + accepted, 0),
    failures: lanes.flatMap(({ failures }) => failures),
  };
  await asker.close();
  await closeAfter(harness, sent);
  return sent;
}

export async function walkLocalMode(walked: Walked): Promise<Sent> {
  const harness = await startHarness({ config: { rateLimits: UNLIMITED } });
  const callers = async (own: Side, foreign: Side): Promise<Callers> => ({
    board: [{}],
    ...(await agentsOf(harness, own, foreign)),
  });
  return walk(harness, harness, callers, walked);
}

export async function walkAuthenticatedMode(walked: Walked): Promise<Sent> {
  const harness = await startAuthenticatedHarness({ config: { rateLimits: UNLIMITED } });
  const callers = async (own: Side, foreign: Side): Promise<Callers> => {
    const agents = await agentsOf(harness, own, foreign);
    const people = await peopleOf(harness, own.ids.companyId);
    return { ...agents, board: people.board, others: [...agents.others, ...people.others] };
  };
  return walk(harness, { ...harness, api: harness.founding }, callers, walked);
}

async function peopleOf(harness: AuthenticatedHarness, companyId: string) {
  const owner = await harness.operator(companyId, 'owner');
  const operator = await harness.operator(companyId, 'operator');
  const viewer = await harness.operator(companyId, 'viewer');
  const tokenOf = async (scope: 'read' | 'write') => {
    const made = await harness.as(owner).post('/api/auth/tokens').send({ name: scope, scope });
    return bearer(made.body.token as string);
  };
  const session = ({ cookie }: { cookie: string }): Headers => ({ cookie });
  return {
    board: [session(owner), session(operator), await tokenOf('write')],
    others: [{}, session(viewer), await tokenOf('read')],
  };
}
