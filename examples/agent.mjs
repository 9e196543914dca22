// A small agent: claims the issue it was woken for, says what it does, reports what it spent, hands the
// work in. It knows nothing but the environment that every run receives.

const { SERVICE_API_URL, SERVICE_API_KEY, SERVICE_AGENT_ID, SERVICE_ISSUE_ID } = process.env;

async function call(method, path, body) {
  const response = await fetch(`${SERVICE_API_URL}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${SERVICE_API_KEY}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.error}`);
  return answer;
}

const me = await call('GET', '/agents/me');
console.log(`I am ${me.name}, ${me.role}.`);
if (!SERVICE_ISSUE_ID) {
  console.log('Nobody named an issue, so there is nothing to do.');
  process.exit(0);
}
const issue = await call('POST', `/issues/${SERVICE_ISSUE_ID}/checkout`, {
  agentId: SERVICE_AGENT_ID,
  expectedStatuses: ['todo', 'backlog', 'in_progress'],
});
console.log(`I claimed ${issue.identifier}: ${issue.title}`);
await call('POST', `/issues/${SERVICE_ISSUE_ID}/comments`, {
  body: `Hello! I read "${issue.title}" and I am done with it.`,
});
const usage = { provider: 'example', model: 'small', inputTokens: 1200, outputTokens: 340 };
console.log(JSON.stringify({ type: 'usage', ...usage, costCents: 7 }));
await call('PATCH', `/issues/${SERVICE_ISSUE_ID}`, { status: 'in_review' });
await call('PATCH', `/issues/${SERVICE_ISSUE_ID}`, { status: 'done' });
console.log('Handed in.');
