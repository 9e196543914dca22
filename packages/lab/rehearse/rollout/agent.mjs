import { setTimeout as sleep } from 'node:timers/promises';

const { SERVICE_API_URL, SERVICE_API_KEY, SERVICE_AGENT_ID, SERVICE_ISSUE_ID, SERVICE_RUN_ID } =
  process.env;
const [seconds] = process.argv.slice(2).map(Number);
let turn = 0;

async function attempt(method, path, body, key) {
  const response = await fetch(`${SERVICE_API_URL}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${SERVICE_API_KEY}`,
      'content-type': 'application/json',
      ...(method === 'POST' && { 'idempotency-key': key }),
    },
    body: body && JSON.stringify(body),
  });
  if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status}`);
  return { status: response.status, body: await response.json() };
}

async function call(method, path, body) {
  turn += 1;
  const key = `${SERVICE_RUN_ID}-${process.pid}-${turn}`;
  const answer = await attempt(method, path, body, key).catch(async () => {
    process.stdout.write(`retrying ${method} ${path}\n`);
    await sleep(200);
    return attempt(method, path, body, key);
  });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.body;
}

const issue = await call('POST', `/issues/${SERVICE_ISSUE_ID}/checkout`, {
  agentId: SERVICE_AGENT_ID,
  expectedStatuses: ['todo', 'in_progress'],
});
await call('POST', `/issues/${issue.id}/comments`, { body: `I work on it for ${seconds} s.` });
const saying = setInterval(() => process.stdout.write('still at it\n'), 60_000);
for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
  await sleep(Math.min(500, end - Date.now()));
  await call('GET', `/issues/${issue.id}`);
}
clearInterval(saying);
await call('PATCH', `/issues/${issue.id}`, { status: 'in_review' });
await call('PATCH', `/issues/${issue.id}`, { status: 'done' });
