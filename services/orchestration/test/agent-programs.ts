const CALL = `
const api = (method, path, body) => fetch(process.env.SERVICE_API_URL + '/api' + path, {
  method,
  headers: {
    authorization: 'Bearer ' + process.env.SERVICE_API_KEY,
    'content-type': 'application/json',
  },
  body: body && JSON.stringify(body),
}).then(async (answer) => ({ status: answer.status, body: await answer.json() }));
const claim = (statuses) => api('POST', '/issues/' + process.env.SERVICE_ISSUE_ID + '/checkout', {
  agentId: process.env.SERVICE_AGENT_ID, expectedStatuses: statuses,
});
`;

const program = (body: string) => ({
  command: process.execPath,
  args: [
    '-e',
    `(async () => {${CALL}${body}})().catch((e) => { console.error(e); process.exit(1); })`,
  ],
});

export const CLAIM_AND_HANG = program(`
  const answer = await claim(['todo', 'in_progress']);
  require('child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();
  console.log('claimed', answer.status, process.pid);
  setInterval(() => console.log('working'), 100);
`);

export const CLAIM_AND_IGNORE_TERM = {
  ...CLAIM_AND_HANG,
  args: ['-e', `process.on('SIGTERM', () => undefined);${CLAIM_AND_HANG.args[1]}`],
};

export const CLAIM_AND_FINISH = program(`
  const claimed = await claim(['todo', 'in_progress']);
  if (claimed.status !== 200) throw new Error(JSON.stringify(claimed.body));
  const path = '/issues/' + process.env.SERVICE_ISSUE_ID;
  await api('PATCH', path, { status: 'in_review' });
  await api('PATCH', path, { status: 'done', comment: 'finished' });
  console.log('finished', process.env.SERVICE_ISSUE_ID);
`);

/**
 * Mentions the board. After a person has replied, claims the issue and finishes it with the reply.
 */
export const ASK_AND_FINISH = program(`
  const path = '/issues/' + process.env.SERVICE_ISSUE_ID;
  const answered = JSON.parse(process.env.SERVICE_WAKES).find(({ reason }) => reason === 'mention_answered');
  if (!answered) {
    await api('POST', path + '/comments', { body: 'Berlin or Vienna? @board' });
    return;
  }
  const { body: answer } = await api('GET', path + '/comments/' + answered.commentId);
  await claim(['todo', 'in_progress']);
  await api('PATCH', path, { status: 'in_review' });
  await api('PATCH', path, { status: 'done', comment: 'Opened: ' + answer.body });
`);

export const ANSWER_EACH_WAKE = program(`
  for (const { issueId, identifier, title, commentId } of JSON.parse(process.env.SERVICE_WAKES)) {
    const body = 'answer to ' + commentId + ', ' + identifier + ': ' + title;
    const answer = await api('POST', '/issues/' + issueId + '/comments', { body });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  }
`);

/**
 * Delegates its issue to three agents, of which one waits for the other two. Then asks the board
 * and finishes the issue. Each run handles the wakes that it received.
 */
export const DELEGATE = program(`
  const env = process.env;
  const call = async (...request) => {
    const { status, body } = await api(...request);
    if (status >= 300) throw new Error(JSON.stringify({ request, body }));
    return body;
  };
  const company = '/companies/' + env.SERVICE_COMPANY_ID;
  const issue = '/issues/' + env.SERVICE_ISSUE_ID;
  const checkOut = () => call('POST', issue + '/checkout', {
    agentId: env.SERVICE_AGENT_ID, expectedStatuses: ['todo', 'blocked'],
  });
  const begin = async () => {
    await checkOut();
    const agents = await call('GET', company + '/agents');
    const staff = agents.filter(({ reportsTo }) => reportsTo === env.SERVICE_AGENT_ID).reverse();
    const child = (title, more) =>
      call('POST', company + '/issues', { title, status: 'todo', parentId: env.SERVICE_ISSUE_ID, ...more });
    const [first, second] = [await child('First'), await child('Second')];
    await child('Last', { assigneeAgentId: staff[2].id, blockedBy: [first.id, second.id] });
    for (const [at, { id }] of [first, second].entries()) {
      await call('PATCH', '/issues/' + id, { assigneeAgentId: staff[at].id });
    }
    await call('PATCH', issue, { status: 'blocked' });
  };
  const ask = () => call('POST', company + '/approvals', {
    type: 'board_question',
    payload: {
      title: 'Ship it?',
      options: [{ key: 'ship', label: 'Yes' }, { key: 'wait', label: 'No' }],
      issueIds: [env.SERVICE_ISSUE_ID],
    },
  });
  const finish = async ({ option, note }) => {
    await checkOut();
    await call('PATCH', issue, { status: 'in_review' });
    await call('PATCH', issue, { status: 'done', comment: 'The board says ' + option + ': ' + note });
  };
  for (const { source, reason, payload } of JSON.parse(env.SERVICE_WAKES)) {
    if (source === 'approval') await finish(payload);
    else if (reason === 'children_ended') await ask();
    else await begin();
  }
`);

export const NOTHING = program('');
