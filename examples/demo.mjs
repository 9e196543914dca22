// Plays the README's story against a running Switchyard and prints what happens. Usage: node examples/demo.mjs [http://127.0.0.1:3100]
// With --first-start, which docker-compose.yml passes, it does nothing if a company exists, if sign-in is required, or with DEMO=off.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isFirstStart = process.argv.includes('--first-start');
const DEADLINE_MS = isFirstStart ? 180_000 : 30_000;
const base = (args[0] ?? (await servedUrl())).replace(/\/$/, '');
const AGENT = fileURLToPath(new URL('./agent.mjs', import.meta.url));

const { createClient, unwrap } = await import('@switchyard/client').catch(() => {
  console.error('The client is not built yet: run npm start, or npm run build, first.');
  process.exit(1);
});
const board = createClient({ baseUrl: base });

async function call(asked) {
  return unwrap(asked).catch((error) => {
    if (error.status === 401) {
      console.error(
        `${base} requires a sign-in; this demonstration only works in local trusted mode.`,
      );
      process.exit(1);
    }
    if (error.name === 'RefusedError') throw error;
    console.error(`No service responds at ${base} (${error.cause?.code ?? error.message}).`);
    console.error('Start Switchyard in another terminal with: npm start');
    process.exit(1);
  });
}

async function waitForEnd(runId) {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end; ) {
    const path = { runId };
    const run = await call(board.GET('/api/heartbeat-runs/{runId}', { params: { path } }));
    if (run.finishedAt) return run;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the run did not end within ${DEADLINE_MS / 1000} s; see the worker's log`);
}

const say = (what, detail = '') => console.log(`${what.padEnd(26)} ${detail}`);

if (isFirstStart) await skipUnlessFirst();

const company = await call(board.POST('/api/companies', { body: { name: 'Demo Company' } }));
const inCompany = { path: { companyId: company.id } };
say('company created', `${company.name}, issue keys begin with ${company.issuePrefix}-`);
const agent = await call(
  board.POST('/api/companies/{companyId}/agents', {
    params: inCompany,
    body: {
      name: 'Ada',
      role: 'engineer',
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: [AGENT] },
    },
  }),
);
say('agent hired', `${agent.name}, ${agent.role}, run by the ${agent.adapterType} adapter`);
const issue = await call(
  board.POST('/api/companies/{companyId}/issues', {
    params: inCompany,
    body: { title: 'Say hello to the board', status: 'todo' },
  }),
);
say('issue created', `${issue.identifier}: ${issue.title}`);
const invoked = await call(
  board.POST('/api/agents/{agentId}/heartbeat/invoke', {
    params: { path: { agentId: agent.id } },
    body: { issueId: issue.id },
  }),
);
say('heartbeat invoked', `run ${invoked.id} is ${invoked.status}`);
const run = await waitForEnd(invoked.id);
const { usage } = run;
say(`run ${run.status}`, `after ${new Date(run.finishedAt) - new Date(run.startedAt)} ms`);
const log = await call(
  board.GET('/api/heartbeat-runs/{runId}/log', { params: { path: { runId: run.id } } }),
);
for (const line of log.content.trim().split('\n')) say('  run log', line);
const onIssue = { params: { path: { issueId: issue.identifier } } };
const done = await call(board.GET('/api/issues/{issueId}', onIssue));
say('issue', `${done.identifier} is ${done.status}`);
const [comment] = await call(board.GET('/api/issues/{issueId}/comments', onIssue));
say('comment', comment?.body ?? 'none');
say('spent', `${usage.costCents} cents for ${usage.inputTokens + usage.outputTokens} tokens`);
const activity = await call(
  board.GET('/api/companies/{companyId}/activity', { params: inCompany }),
);
say(
  'activity',
  activity
    .map((entry) => entry.action)
    .reverse()
    .join(', '),
);
if (run.status !== 'succeeded' || done.status !== 'done') process.exit(1);

async function skipUnlessFirst() {
  const skip = (why) => {
    console.log(`The demonstration is skipped: ${why}.`);
    process.exit(0);
  };
  if (/^(off|false|0)$/.test(process.env.DEMO ?? '')) skip('DEMO is off');
  const { response, data } = await board.GET('/api/companies');
  if (response.status === 401) skip('this installation requires a sign-in');
  if (data?.length) skip('a company already exists');
}

async function servedUrl() {
  const dataDir = process.env.DATA_DIR ?? '.data';
  try {
    const { urls } = JSON.parse(await readFile(`${dataDir}/run/launcher.json`, 'utf8'));
    return urls.board;
  } catch {
    return `http://127.0.0.1:${process.env.API_PORT ?? 3100}`;
  }
}
