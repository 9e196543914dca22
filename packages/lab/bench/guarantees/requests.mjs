import { createRequire } from 'node:module';
import { id } from '../lists/seed.mjs';

const { allRoutes } = createRequire(import.meta.url)(
  '@switchyard/orchestration/dist/http/routes.js',
);

const STATUSES = [undefined, 'done', 'in_progress', 'todo,in_progress,blocked', 'backlog,done'];
const RUN_STATUSES = [undefined, 'failed', 'queued,running', 'failed,timed_out'];
const ACTIONS = [undefined, 'issue.updated', 'agent.paused'];
const SORTS = ['updated', 'created', 'due'];
const DAY_MS = 86_400_000;

function combinations(choices) {
  return Object.entries(choices).reduce(
    (found, [name, values]) =>
      found.flatMap((filters) =>
        values.map((value) => (value === undefined ? filters : { ...filters, [name]: value })),
      ),
    [{}],
  );
}

const eachOf = (choices) =>
  Object.entries(choices).flatMap(([name, values]) => values.map((value) => ({ [name]: value })));

const SEARCHED = {
  'a word in every issue': 'word',
  'a word that half have': 'half1',
  'a word of each hundredth': 'hundredth7 ',
  'a word in each thousandth issue': 'thousandth77 ',
  'a word that ten have': 'ten7 ',
  'two words': 'hundredth7 half1',
  'words that follow each other': '"word half1"',
  'the beginning of a word': 'thousandth7',
  'one of two words': 'hundredth7 or hundredth8',
  'all but a word': '-half1',
  'an identifier': 'BEN-4242',
  'what is nowhere': 'nowhere',
};

export function listRequests(known) {
  const names = new Map([
    [known.bigAgent, 'big'],
    [known.smallAgent, 'small'],
    [known.bigProject, 'big'],
    [known.smallProject, 'small'],
    [known.issue, 'one'],
    [known.goal, 'big'],
  ]);
  const shown = (filters) =>
    Object.entries(filters).map(([name, value]) => `${name}=${names.get(value) ?? value}`);
  return [...plainLists(known), ...issueLists(known), ...searches(known), ...otherLists(known)].map(
    (request) => ({
      ...request,
      title: request.title ?? [request.name, ...shown(request.filters)].join(' '),
    }),
  );
}

function plainLists({ company, bigAgent, smallAgent, bigProject, smallProject, issue }) {
  const at = `/api/companies/${company}`;
  const agents = [undefined, bigAgent, smallAgent];
  const projects = [undefined, bigProject, smallProject];
  const list = (name, table, path, choices = {}) =>
    combinations(choices).map((filters) => ({ name, table, path, filters }));
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
  ];
}

function issueLists({ company, bigAgent, bigProject, issue, goal }) {
  const path = `/api/companies/${company}/issues`;
  const sorted = combinations({
    sort: SORTS,
    status: [undefined, 'todo', 'backlog,done'],
    assigneeAgentId: [undefined, bigAgent],
    projectId: [undefined, bigProject],
  });
  const narrowed = eachOf({
    parentId: [issue],
    goalId: [goal],
    approvalId: [id(9, 1)],
    label: ['label 1', 'label 2', 'label 20', 'no such label'],
    unassigned: ['true'],
    assigneeUserId: ['me'],
    updatedAfter: [new Date(Date.now() - DAY_MS).toISOString()],
    q: Object.values(SEARCHED),
  });
  return [
    ...sorted.map((filters) => ({ name: 'sorted issues', path, filters })),
    ...narrowed.flatMap((filters) =>
      [undefined, 'updated', 'due'].map((sort) => ({
        name: 'narrowed issues',
        path,
        filters: sort ? { ...filters, sort } : filters,
      })),
    ),
  ];
}

function searches({ company }) {
  const path = `/api/companies/${company}/search`;
  const types = ['issue', 'comment', 'document', 'agent', 'project'];
  return [
    ...Object.entries(SEARCHED).map(([what, q]) => ({ what, filters: { q } })),
    ...types.map((type) => ({ what: `${type}s alone`, filters: { q: 'word', types: type } })),
  ].map(({ what, filters }) => ({ title: `search for ${what}`, path, filters, most: 50 }));
}

function otherLists({ company, bigAgent, issue, comment, bigProject, document }) {
  const at = `/api/companies/${company}`;
  const of = (title, path, choices = {}) =>
    combinations(choices).map((filters) => ({ name: `other: ${title}`, path, filters }));
  return [
    ...of('comments', `/api/issues/${issue}/comments`, {
      order: ['desc', 'asc'],
      after: [undefined, comment],
    }),
    ...of('thread', `/api/issues/${issue}/thread`, {
      order: ['desc', 'asc'],
      kinds: [undefined, 'comment', 'change,run'],
    }),
    ...of('companies', '/api/companies'),
    ...of('labels', `${at}/labels`),
    ...of('goals', `${at}/goals`),
    ...of('projects', `${at}/projects`),
    ...of('workspaces', `/api/projects/${bigProject}/workspaces`),
    ...of('agents by name', `${at}/agents`, { name: ['agent 77'] }),
    ...of('keys', `/api/agents/${bigAgent}/keys`),
    ...of('configurations', `/api/agents/${bigAgent}/config-revisions`),
    ...of('approvals', `${at}/approvals`, { status: [undefined, 'pending', 'approved'] }),
    ...of('approvals of an issue', `/api/issues/${id(3, 3)}/approvals`),
    ...of('issues of an approval', `/api/approvals/${id(9, 1)}/issues`),
    ...of('comments of an approval', `/api/approvals/${id(9, 1)}/comments`),
    ...of('documents', `/api/issues/${issue}/documents`),
    ...of('revisions', `/api/issues/${issue}/documents/${document}/revisions`),
    ...of('attachments', `/api/issues/${issue}/attachments`),
    ...of('routines', `${at}/routines`),
    ...of('firings', `/api/routines/${id(2, 1001)}/runs`),
    ...of('cost events', `${at}/cost-events`, { issueId: [undefined, id(3, 2)] }),
    ...of('spend by agent', `${at}/costs/by-agent`),
    ...of('limits', `${at}/costs/limits`, { includeOk: ['false', 'true'] }),
    ...of('secrets', `${at}/secrets`),
    ...of('runners', `${at}/runners`),
    ...of('views', `${at}/views`),
    ...of('members', `${at}/members`),
    ...of('invites', `${at}/invites`),
  ];
}

export function inboxRequests({ company }) {
  const path = `/api/companies/${company}/inbox`;
  return [
    { title: 'inbox', path, filters: {} },
    { title: 'inbox with hidden items', path, filters: { include: 'snoozed,dismissed' } },
  ];
}

const OF_MONTH = 'a sum of a range’s events, measured by `bench -- costs`';
const OF_PERSON = 'of a person, not of a company';

const LEFT_OUT = {
  'GET /api/companies/:companyId/costs/by-project': OF_MONTH,
  'GET /api/companies/:companyId/costs/by-day': OF_MONTH,
  'GET /api/companies/:companyId/costs/by-provider': OF_MONTH,
  'GET /api/companies/:companyId/costs/by-model': OF_MONTH,
  'GET /api/companies/:companyId/costs/by-issue': OF_MONTH,
  'GET /api/companies/:companyId/costs/by-run': OF_MONTH,
  'GET /api/auth/sessions': OF_PERSON,
  'GET /api/auth/tokens': OF_PERSON,
};

export function assertComplete(requests) {
  const missing = allRoutes
    .filter(({ method, query }) => method === 'GET' && 'cursor' in (query?.shape ?? {}))
    .filter(({ path }) => {
      const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
      return !requests.some((request) => pattern.test(request.path));
    })
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => !(name in LEFT_OUT));
  if (missing.length > 0)
    throw new Error(
      `each list route must have a benchmark request; missing: ${missing.join(', ')}`,
    );
}
