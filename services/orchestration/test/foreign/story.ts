// A program of another project, which only has the client package. The test compiles it as an ES
// module and as CommonJS with the strictest settings, and runs it against a service.
import {
  type ActivityEvent,
  createClient,
  fireWebhook,
  followActivity,
  type ListItem,
  listAll,
  RefusedError,
  signIn,
  unwrap,
  waitForRun,
} from '@switchyard/client';

declare const process: { argv: string[]; stdout: { write(text: string): void } };

async function play(baseUrl: string, email: string, password: string) {
  const session = await signIn({ baseUrl }, { email, password });
  const body = { name: 'A script', scope: 'write' as const };
  const { token } = await unwrap(session.client.POST('/api/auth/tokens', { body }));
  const board = createClient({ baseUrl, token });
  const company = await unwrap(session.client.POST('/api/companies', { body: { name: 'Acme' } }));
  const inCompany = { path: { companyId: company.id } };
  await session.signOut();
  const after = await unwrap(session.client.GET('/api/companies', {})).catch(codeOf);

  const titles = await writeIssues(board, inCompany);
  const events = await readEvents(board, company.id);
  const { id: agentId } = await makeAgent(board, inCompany);
  const run = await cancelRun(board, agentId);
  const fired = await fire(board, inCompany, agentId);
  return { user: session.user.email, after, titles, events, run, fired };
}

const codeOf = (error: unknown) => (error instanceof RefusedError ? error.code : String(error));

type Board = ReturnType<typeof createClient>;
interface InCompany {
  path: { companyId: string };
}
type Listed = ListItem<'/api/companies/{companyId}/issues'>;

async function writeIssues(board: Board, params: InCompany): Promise<string[]> {
  for (const title of ['One', 'Two', 'Three']) {
    await unwrap(board.POST('/api/companies/{companyId}/issues', { params, body: { title } }));
  }
  const found: Listed[] = [];
  const pages = { params: { ...params, query: { limit: 1 } } };
  for await (const issue of listAll(board, '/api/companies/{companyId}/issues', pages)) {
    found.push(issue);
  }
  return found.map(({ title }) => title).sort();
}

async function readEvents(board: Board, companyId: string): Promise<string[]> {
  const stop = new AbortController();
  const writing = writeUntil(stop.signal, () =>
    board.POST('/api/companies/{companyId}/goals', {
      params: { path: { companyId } },
      body: { title: 'Grow', level: 'company' },
    }),
  );
  const first = await nextEvent(followActivity(board, companyId));
  const second = await nextEvent(followActivity(board, companyId, { lastEventId: first.id }));
  stop.abort();
  await writing;
  const again = await nextEvent(followActivity(board, companyId, { lastEventId: first.id }));
  return [first.activity.action, second.activity.action, again.id === second.id ? 'same' : 'other'];
}

async function nextEvent(events: AsyncIterable<ActivityEvent>): Promise<ActivityEvent> {
  for await (const event of events) return event;
  throw new Error('the stream has ended');
}

async function writeUntil(signal: AbortSignal, write: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) await write();
}

async function makeAgent(board: Board, params: InCompany): Promise<{ id: string }> {
  return unwrap(
    board.POST('/api/companies/{companyId}/agents', {
      params,
      body: { name: 'Ada', adapterType: 'process', adapterConfig: { command: 'true' } },
    }),
  );
}

async function cancelRun(board: Board, agentId: string): Promise<string> {
  const run = await unwrap(
    board.POST('/api/agents/{agentId}/heartbeat/invoke', {
      params: { path: { agentId } },
      body: {},
    }),
  );
  const waiting = waitForRun(board, run.id, { intervalMs: 20 });
  await unwrap(
    board.POST('/api/heartbeat-runs/{runId}/cancel', { params: { path: { runId: run.id } } }),
  );
  return (await waiting).status;
}

async function fire(
  board: Board,
  params: InCompany,
  assigneeAgentId: string,
): Promise<(string | undefined)[]> {
  const project = await unwrap(
    board.POST('/api/companies/{companyId}/projects', { params, body: { name: 'Metrics' } }),
  );
  const routine = await unwrap(
    board.POST('/api/companies/{companyId}/routines', {
      params,
      body: { title: 'Look', assigneeAgentId, projectId: project.id },
    }),
  );
  const trigger = await unwrap(
    board.POST('/api/routines/{routineId}/triggers', {
      params: { path: { routineId: routine.id } },
      body: { kind: 'webhook', signingMode: 'hmac_sha256' },
    }),
  );
  if (trigger.kind !== 'webhook') throw new Error('a webhook was made, and something else came');
  const { publicId, secret } = trigger;
  const anybody = createClient({ baseUrl: String(process.argv[2]) });
  const firing = await fireWebhook(anybody, publicId, { secret, payload: { text: 'größer' } });
  const forged = await fireWebhook(anybody, publicId, { secret: 'guessed' }).catch(codeOf);
  return [firing.source, typeof forged === 'string' ? forged : undefined];
}

const [, , baseUrl = '', email = '', password = ''] = process.argv;
void play(baseUrl, email, password).then((told) => process.stdout.write(JSON.stringify(told)));
