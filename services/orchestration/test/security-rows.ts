import type { Access } from '../src/access/rules';
import type { Harness } from './harness';
import type { Ids } from './world';

/** What the tests that walk the route table need to know of one route. */
export interface RouteRow {
  access: Access;
  /** An agent may do it for itself only; a colleague is refused with `not_own`. */
  ownOnly?: true;
  /** A body that the route accepts, made of ids of one company; absent when it takes none. */
  body?: (ids: Ids) => object;
  /** The part of a multipart request, for routes that take a file. */
  file?: { name: string; contentType: string; content: string };
  /** The answer to `body` where it is not the route's own status, as where local mode has no sign-in. */
  status?: number;
  /** The answer to ids of another company in the body where it is not 403. */
  foreignIds?: number;
  /** How many activities it records where that is not one. */
  records?: number;
  /** True for a route that disturbs other rows: the contract test calls it in a company of its own. */
  ownCompany?: true;
  /** A change of `body` that is accepted too. */
  change?: object;
  /** True for a list in which a fresh company has nothing. */
  empty?: true;
  /** True for a list that of the members owners alone may read. */
  ownersRead?: true;
  /** True for what in authenticated mode administrators of the installation alone may do. */
  administratorsOnly?: true;
  /** True for what a person does with a browser, and with no token. */
  browserOnly?: true;
  /** Brings the company into the state in which the route succeeds. */
  prepare?: (harness: Pick<Harness, 'api' | 'build' | 'db' | 'context'>, ids: Ids) => Promise<void>;
}

export const both = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({
  access: 'agent-or-board',
  ...row,
});
/** Writes that in authenticated mode owners alone may do; in local mode the board may do everything. */
export const owner = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({
  access: 'owner',
  ...row,
});
export const open = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({
  access: 'public',
  ...row,
});
export const board = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({
  access: 'board',
  ...row,
});
export const agent = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({
  access: 'agent',
  ...row,
});
/** Nobody but a runner is known there. */
export const ofRunners = (body?: RouteRow['body']): RouteRow => ({
  access: 'runner',
  status: 401,
  foreignIds: 401,
  ...(body && { body }),
});

export const endRun: RouteRow['prepare'] = async ({ db }, { runId }) => {
  await db.heartbeatRun.update({
    where: { id: runId as string },
    data: { status: 'failed', finishedAt: new Date() },
  });
};

export const detachRun: RouteRow['prepare'] = async ({ db }, { runId }) => {
  await db.heartbeatRun.update({ where: { id: runId as string }, data: { isDetached: true } });
};

export const pause: RouteRow['prepare'] = async ({ api }, { agentId }) => {
  await api.post(`/api/agents/${agentId}/pause`).expect(200);
};

export const rename: RouteRow['prepare'] = async ({ api }, { agentId }) => {
  await api.patch(`/api/agents/${agentId}`).send({ title: 'another' }).expect(200);
};

export const webhook: RouteRow['prepare'] = async (_harness, ids) => {
  ids.triggerId = ids.webhookId as string;
};

export const dismiss: RouteRow['prepare'] = async ({ api }, { companyId, itemId }) => {
  await api.post(`/api/companies/${companyId}/inbox/${itemId}/dismiss`).expect(200);
};

export const requestRevision: RouteRow['prepare'] = async ({ api }, { approvalId }) => {
  await api.post(`/api/approvals/${approvalId}/request-revision`).send({}).expect(200);
};

export const askBoard: RouteRow['prepare'] = async ({ api }, ids) => {
  const question = { type: 'board_question', payload: { title: 'Ship?' } };
  const path = `/api/companies/${ids.companyId}/approvals`;
  ids.approvalId = (await api.post(path).send(question).expect(201)).body.id;
};

export const finish: RouteRow['prepare'] = async ({ api }, { issueId }) => {
  await api.patch(`/api/issues/${issueId}`).send({ status: 'cancelled' }).expect(200);
};

export const decide = () =>
  board({
    ownCompany: true,
    body: () => ({ decisionNote: 'because' }),
    change: { decisionNote: 'why not' },
  });

export const checkOut: RouteRow['prepare'] = async ({ api }, { agentId, issueId }) => {
  const claim = { agentId, expectedStatuses: ['backlog'] };
  await api.post(`/api/issues/${issueId}/checkout`).send(claim).expect(200);
};

export const COST = { provider: 'p', model: 'm', inputTokens: 3, outputTokens: 4, costCents: 5 };

export const spend: RouteRow['prepare'] = async ({ api }, { companyId, agentId }) => {
  await api
    .post(`/api/companies/${companyId}/cost-events`)
    .send({ ...COST, agentId })
    .expect(201);
};

export const nearLimit: RouteRow['prepare'] = async (harness, ids) => {
  const budget = { budgetMonthlyCents: COST.costCents + 1 };
  await harness.api.patch(`/api/agents/${ids.agentId}`).send(budget).expect(200);
  await spend(harness, ids);
};

export const IMAGE = {
  name: 'image.svg',
  contentType: 'image/svg+xml',
  content: '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
export const PERSON = { email: 'somebody@example.com', name: 'Somebody' };
