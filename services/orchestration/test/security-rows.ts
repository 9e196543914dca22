import type { Access } from '../src/access/rules';
import type { Harness } from './harness';
import type { Ids } from './world';

export interface RouteRow {
  access: Access;
  ownOnly?: true;
  body?: (ids: Ids) => object;
  file?: { name: string; contentType: string; content: string };
  status?: number;
  /** Status for ids of another company in the body; 403 by default. */
  foreignIds?: number;
  records?: number;
  /**
   * True for a route whose effects disturb tests of other routes. The contract test then uses a
   * separate company.
   */
  ownCompany?: true;
  change?: object;
  empty?: true;
  ownersRead?: true;
  administratorsOnly?: true;
  browserOnly?: true;
  prepare?: (harness: Pick<Harness, 'api' | 'build' | 'db' | 'context'>, ids: Ids) => Promise<void>;
}

export const both = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({
  access: 'agent-or-board',
  ...row,
});
/** A write that only owners may make in authenticated mode; in local mode the board may. */
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

export const archive: RouteRow['prepare'] = async (harness, ids) => {
  await endRun(harness, ids);
  const { body } = await harness.api.post(`/api/companies/${ids.companyId}/archive`).expect(200);
  ids.companyName = body.name;
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
