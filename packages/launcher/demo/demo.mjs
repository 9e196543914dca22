// Plays the README's story against a running Switchyard and prints what happens.
// Usage: npm run demo [-- http://127.0.0.1:3100]

import { fileURLToPath } from 'node:url';
import { servedUrl } from './served-url.mjs';

const base = (process.argv[2] ?? (await servedUrl())).replace(/\/$/, '');
const AGENT = fileURLToPath(new URL('./agent.mjs', import.meta.url));
const DEADLINE_MS = 30_000;

async function call(method, path, body) {
  const response = await fetch(`${base}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  }).catch((error) => {
    console.error(`Nothing answers at ${base} (${error.cause?.code ?? error.message}).`);
    console.error('Start Switchyard in another terminal with: npm start');
    process.exit(1);
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.error}`);
  return answer;
}

async function waitForEnd(runId) {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end; ) {
    const run = await call('GET', `/heartbeat-runs/${runId}`);
    if (run.finishedAt) return run;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the run did not end within ${DEADLINE_MS / 1000} s; look at the worker's lines`);
}

const say = (what, detail = '') => console.log(`${what.padEnd(26)} ${detail}`);

const company = await call('POST', '/companies', { name: 'Demo Company' });
say('company created', `${company.name}, issues are called ${company.issuePrefix}-…`);
const agent = await call('POST', `/companies/${company.id}/agents`, {
  name: 'Ada',
  role: 'engineer',
  adapterType: 'process',
  adapterConfig: { command: process.execPath, args: [AGENT] },
});
say('agent hired', `${agent.name}, ${agent.role}, run by the ${agent.adapterType} adapter`);
const issue = await call('POST', `/companies/${company.id}/issues`, {
  title: 'Say hello to the board',
  status: 'todo',
});
say('issue created', `${issue.identifier}: ${issue.title}`);
const invoked = await call('POST', `/agents/${agent.id}/heartbeat/invoke`, { issueId: issue.id });
say('heartbeat invoked', `run ${invoked.id} is ${invoked.status}`);
const run = await waitForEnd(invoked.id);
const { usage } = run;
say(`run ${run.status}`, `after ${new Date(run.finishedAt) - new Date(run.startedAt)} ms`);
const log = await call('GET', `/heartbeat-runs/${run.id}/log`);
for (const line of log.content.trim().split('\n')) say('  agent says', line);
const done = await call('GET', `/issues/${issue.identifier}`);
say('issue', `${done.identifier} is ${done.status}`);
const [comment] = await call('GET', `/issues/${issue.id}/comments`);
say('comment on it', comment?.body ?? 'none');
say('spent', `${usage.costCents} cents for ${usage.inputTokens + usage.outputTokens} tokens`);
const activity = await call('GET', `/companies/${company.id}/activity`);
say(
  'activity',
  activity
    .map((entry) => entry.action)
    .reverse()
    .join(', '),
);
if (run.status !== 'succeeded' || done.status !== 'done') process.exit(1);
