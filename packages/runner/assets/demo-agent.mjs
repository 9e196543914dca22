// Program of the demo agents. They claim the issue that woke them, comment on it, ask the board if
// the issue requires it, report their spend and finish the issue.

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

const comment = (issueId, body) => call('POST', `/issues/${issueId}/comments`, { body });

async function claim(issueId) {
  const issue = await call('POST', `/issues/${issueId}/checkout`, {
    agentId: SERVICE_AGENT_ID,
    expectedStatuses: ['todo', 'backlog', 'in_progress', 'blocked'],
  });
  console.log(`\u001b[36m${issue.identifier}\u001b[0m ${issue.title}: claimed`);
  return issue;
}

async function handIn(issueId) {
  await call('PATCH', `/issues/${issueId}`, { status: 'in_review' });
  await call('PATCH', `/issues/${issueId}`, { status: 'done' });
  console.log('\u001b[32mHanded in.\u001b[0m');
}

async function askBoard(issue) {
  await call('POST', `/companies/${issue.companyId}/approvals`, {
    type: 'board_question',
    issueIds: [issue.id],
    payload: {
      title: 'Which region opens first?',
      body: 'Berlin has **412** people on the waiting list, Vienna 187. Vienna needs no new payment provider.',
      options: [
        { key: 'berlin', label: 'Berlin', description: 'More people, two weeks later' },
        { key: 'vienna', label: 'Vienna', description: 'Fewer people, ready now' },
      ],
      recommended: 'vienna',
    },
  });
  await comment(
    issue.id,
    'I have compared the two regions and asked the board which one opens first.',
  );
  await call('PATCH', `/issues/${issue.id}`, { status: 'blocked' });
  console.log('I asked the board, and wait for the answer.');
}

async function write(issue) {
  await call('PUT', `/issues/${issue.id}/documents/summary`, {
    title: 'Summary',
    format: 'markdown',
    body: `# ${issue.title}\n\n- I read the request\n- The text below is the result\n\n> Welcome to your booking. One click, and the table is yours.\n`,
  });
  await comment(issue.id, 'The text is in the document **Summary**. This issue is done.');
  await handIn(issue.id);
}

async function serve({ issueId, source, payload }) {
  const issue = await claim(issueId);
  if (source === 'approval') {
    const answer = payload?.option ?? payload?.note ?? 'no preference';
    await comment(
      issueId,
      `The board's answer is **${answer}**. I will follow it, and close this issue.`,
    );
    await handIn(issueId);
  } else if (issue.description?.includes('Ask the board')) await askBoard(issue);
  else await write(issue);
}

const me = await call('GET', '/agents/me');
console.log(`I am ${me.name}, ${me.role}.`);
const wakes = JSON.parse(SERVICE_WAKES).filter(({ issueId }) => issueId);
for (const wake of wakes) await serve(wake);
if (wakes.length === 0) console.log('The wake has no issue, so there is nothing to do.');
const usage = { provider: 'demo', model: 'demo-small', inputTokens: 1200, outputTokens: 340 };
if (wakes.length > 0) console.log(JSON.stringify({ type: 'usage', ...usage, costCents: 7 }));
