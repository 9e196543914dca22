const STATUSES = [undefined, 'done', 'in_progress', 'todo,in_progress,blocked', 'backlog,done'];
const RUN_STATUSES = [undefined, 'failed', 'queued,running', 'failed,timed_out'];
const ACTIONS = [undefined, 'issue.updated', 'agent.paused'];

/** Every choice of one value for each name; `undefined` leaves the name out. */
function combinations(choices) {
  return Object.entries(choices).reduce(
    (found, [name, values]) =>
      found.flatMap((filters) =>
        values.map((value) => (value === undefined ? filters : { ...filters, [name]: value })),
      ),
    [{}],
  );
}

/** Every list with every combination of its filters; `table` tells where its deep page begins. */
export function listRequests({ company, bigAgent, smallAgent, bigProject, smallProject, issue }) {
  const at = `/api/companies/${company}`;
  const agents = [undefined, bigAgent, smallAgent];
  const projects = [undefined, bigProject, smallProject];
  const list = (name, table, path, choices = {}) =>
    combinations(choices).map((filters) => ({ name, table, path, filters }));
  const names = new Map([
    [bigAgent, 'big'],
    [smallAgent, 'small'],
    [bigProject, 'big'],
    [smallProject, 'small'],
    [issue, 'one'],
  ]);
  return [
    ...list('issues', 'issue', `${at}/issues`, {
      status: STATUSES,
      assigneeAgentId: agents,
      projectId: projects,
    }),
    ...list('agents', 'agent', `${at}/agents`),
    ...list('comments', 'issue_comment', `/api/issues/${issue}/comments`),
    ...list('runs', 'heartbeat_run', `${at}/heartbeat-runs`, {
      status: RUN_STATUSES,
      agentId: agents,
      issueId: [undefined, issue],
    }),
    ...list('activity', 'activity', `${at}/activity`, {
      action: ACTIONS,
      actorId: agents,
      entityType: [undefined, 'issue', 'agent'],
      entityId: [undefined, issue],
    }),
  ].map((request) => {
    const shown = Object.entries(request.filters).map(
      ([name, value]) => `${name}=${names.get(value) ?? value}`,
    );
    return { ...request, title: `${request.name} ${shown.join(' ')}`.trim() };
  });
}
