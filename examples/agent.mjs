// A small agent: claims each issue that woke it, comments, reports its costs, and hands the work
// in. It uses only the environment variables that every run receives.

const { SERVICE_API_URL, SERVICE_API_KEY, SERVICE_AGENT_ID, SERVICE_WAKES } = process.env;

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

async function work(issueId) {
  const issue = await call('POST', `/issues/${issueId}/checkout`, {
    agentId: SERVICE_AGENT_ID,
    expectedStatuses: ['todo', 'backlog', 'in_progress'],
  });
  console.log(`I claimed ${issue.identifier}: ${issue.title}`);
  await call('POST', `/issues/${issueId}/comments`, {
    body: `Hello! I have read and completed "${issue.title}".`,
  });
  await call('PATCH', `/issues/${issueId}`, { status: 'in_review' });
  await call('PATCH', `/issues/${issueId}`, { status: 'done' });
  console.log('Handed in.');
}

const me = await call('GET', '/agents/me');
console.log(`I am ${me.name}, ${me.role}.`);
const issueIds = new Set(JSON.parse(SERVICE_WAKES).flatMap(({ issueId }) => issueId ?? []));
if (issueIds.size === 0) console.log('The wake has no issue, so there is nothing to do.');
for (const issueId of issueIds) await work(issueId);
const usage = { provider: 'example', model: 'small', inputTokens: 1200, outputTokens: 340 };
if (issueIds.size > 0) console.log(JSON.stringify({ type: 'usage', ...usage, costCents: 7 }));
