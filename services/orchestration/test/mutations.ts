import type supertest from 'supertest';
import type { Harness } from './harness';

/** Makes what one valid call of a route needs, and answers the call itself, not yet made. */
export type ValidCall = (harness: Harness) => Promise<() => supertest.Test>;

const checkoutOf = async ({ api, build }: Harness) => {
  const run = await build.liveRun();
  const issue = await build.issue({ companyId: run.agent.companyId, status: 'todo' });
  const post = (verb: string, body: object) =>
    api.post(`/api/issues/${issue.id}/${verb}`).set('Authorization', run.authorization).send(body);
  return {
    checkout: () => post('checkout', { agentId: run.agent.id, expectedStatuses: ['todo'] }),
    release: () => post('release', {}),
  };
};

/** The smallest picture there is: one transparent point. */
const PICTURE = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

const upload = ({ api }: Harness, path: string) =>
  api.post(path).attach('file', PICTURE, { filename: 'point.gif', contentType: 'image/gif' });

const approvalPath = async ({ api, build }: Harness) => {
  const { id } = await build.company();
  const path = `/api/companies/${id}/approvals`;
  const { body } = await api.post(path).send({ type: 'approve_ceo_strategy' }).expect(201);
  return `/api/approvals/${body.id}`;
};

const decide = async (harness: Harness, verb: string) => {
  const path = await approvalPath(harness);
  return () => harness.api.post(`${path}/${verb}`).send({ decisionNote: 'As discussed' });
};

const SOMEDAY = { until: '2099-01-01T00:00:00Z' };

async function savedView({ api, build }: Pick<Harness, 'api' | 'build'>): Promise<string> {
  const { id } = await build.company();
  const view = { name: 'Mine', screen: 'issues', query: 'status=todo' };
  const { body } = await api.post(`/api/companies/${id}/views`).send(view).expect(201);
  return `/api/views/${body.id}`;
}

/** The path of an item of the inbox: an approval that waits. */
const itemPath = async (harness: Harness) => {
  const path = await approvalPath(harness);
  const { body } = await harness.api.get(path).expect(200);
  return `/api/companies/${body.companyId}/inbox/approval:${body.id}`;
};

/** Routes whose effect belongs to no company, so that no company's activity could show it. */
export const WITHOUT_COMPANY = ['POST /api/auth/bootstrap'];

/** What takes a body, and writes nothing. */
export const READING = ['POST /api/issues/:issueId/comments/preview'];

const webhookOf = async ({ build }: Harness) =>
  build.trigger((await build.routine()).id, { kind: 'webhook' });

/**
 * A valid call for every route that changes something, by method and path. A route without a line here
 * fails the sweep in `mutations.test.ts`.
 */
export const VALID_CALLS: Record<string, ValidCall> = {
  'POST /api/companies': async ({ api }) => {
    return () => api.post('/api/companies').send({ name: 'Acme' });
  },
  'POST /api/demo-companies': async ({ api }) => {
    return () => api.post('/api/demo-companies').send({});
  },
  'PATCH /api/companies/:companyId': async ({ api, build }) => {
    const { id } = await build.company();
    return () => api.patch(`/api/companies/${id}`).send({ name: 'Renamed' });
  },
  'POST /api/companies/:companyId/archive': async ({ api, build }) => {
    const { id } = await build.company();
    return () => api.post(`/api/companies/${id}/archive`);
  },

  'POST /api/companies/:companyId/goals': async ({ api, build }) => {
    const { id } = await build.company();
    return () => api.post(`/api/companies/${id}/goals`).send({ title: 'Grow' });
  },
  'PATCH /api/goals/:goalId': async ({ api, build }) => {
    const { id } = await build.goal();
    return () => api.patch(`/api/goals/${id}`).send({ status: 'achieved' });
  },
  'POST /api/companies/:companyId/projects': async ({ api, build }) => {
    const { id } = await build.company();
    const body = { name: 'Ship', workspace: { cwd: '/srv/ship' } };
    return () => api.post(`/api/companies/${id}/projects`).send(body);
  },
  'PATCH /api/projects/:projectId': async ({ api, build }) => {
    const { id } = await build.project();
    return () => api.patch(`/api/projects/${id}`).send({ status: 'in_progress' });
  },
  'POST /api/projects/:projectId/workspaces': async ({ api, build }) => {
    const { id } = await build.project();
    return () => api.post(`/api/projects/${id}/workspaces`).send({ cwd: '/srv/ship' });
  },
  'PATCH /api/projects/:projectId/workspaces/:workspaceId': async ({ api, build }) => {
    const { id, workspaces } = await build.project({ workspace: { cwd: '/srv/ship' } });
    const path = `/api/projects/${id}/workspaces/${workspaces[0]?.id}`;
    return () => api.patch(path).send({ name: 'Yard' });
  },
  'DELETE /api/projects/:projectId/workspaces/:workspaceId': async ({ api, build }) => {
    const { id, workspaces } = await build.project({ workspace: { cwd: '/srv/ship' } });
    return () => api.delete(`/api/projects/${id}/workspaces/${workspaces[0]?.id}`);
  },

  'POST /api/companies/:companyId/agents': async ({ api, build }) => {
    const { id } = await build.company();
    const body = { name: 'Ada', adapterType: 'scripted' };
    return () => api.post(`/api/companies/${id}/agents`).send(body);
  },
  'PATCH /api/agents/:agentId': async ({ api, build }) => {
    const { id } = await build.agent();
    return () => api.patch(`/api/agents/${id}`).send({ title: 'Lead' });
  },
  'POST /api/agents/:agentId/pause': async ({ api, build }) => {
    const { id } = await build.agent();
    return () => api.post(`/api/agents/${id}/pause`);
  },
  'POST /api/agents/:agentId/resume': async ({ api, build }) => {
    const { id } = await build.agent();
    await api.post(`/api/agents/${id}/pause`).expect(200);
    return () => api.post(`/api/agents/${id}/resume`);
  },
  'POST /api/agents/:agentId/terminate': async ({ api, build }) => {
    const { id } = await build.agent();
    return () => api.post(`/api/agents/${id}/terminate`);
  },
  'POST /api/agents/:agentId/check': async ({ api, build }) => {
    const { id } = await build.agent();
    return () => api.post(`/api/agents/${id}/check`).send({});
  },
  'POST /api/agents/:agentId/keys': async ({ api, build }) => {
    const { id } = await build.agent();
    return () => api.post(`/api/agents/${id}/keys`);
  },
  'DELETE /api/agents/:agentId/keys/:keyId': async ({ api, build }) => {
    const path = `/api/agents/${(await build.agent()).id}/keys`;
    const { body } = await api.post(path).expect(201);
    return () => api.delete(`${path}/${body.id}`);
  },
  'POST /api/agents/:agentId/config-revisions/:revisionId/rollback': async ({ api, build }) => {
    const path = `/api/agents/${(await build.agent()).id}`;
    await api.patch(path).send({ title: 'Lead' }).expect(200);
    const { body } = await api.get(`${path}/config-revisions`).expect(200);
    return () => api.post(`${path}/config-revisions/${body.at(-1).id}/rollback`);
  },

  'POST /api/companies/:companyId/issues': async ({ api, build }) => {
    const { id } = await build.company();
    return () => api.post(`/api/companies/${id}/issues`).send({ title: 'Do it' });
  },
  'PATCH /api/issues/:issueId': async ({ api, build }) => {
    const { id } = await build.issue();
    return () => api.patch(`/api/issues/${id}`).send({ priority: 'high' });
  },
  'POST /api/issues/:issueId/checkout': async (harness) => (await checkoutOf(harness)).checkout,
  'POST /api/issues/:issueId/release': async (harness) => {
    const { checkout, release } = await checkoutOf(harness);
    await checkout().expect(200);
    return release;
  },
  'POST /api/issues/:issueId/complete': async ({ api, build }) => {
    const { id } = await build.issue();
    return () => api.post(`/api/issues/${id}/complete`);
  },
  'POST /api/issues/:issueId/reopen': async ({ api, build }) => {
    const { id } = await build.issue({ status: 'done' });
    return () => api.post(`/api/issues/${id}/reopen`);
  },
  'POST /api/issues/:issueId/comments': async ({ api, build }) => {
    const { id } = await build.issue();
    return () => api.post(`/api/issues/${id}/comments`).send({ body: 'Done?' });
  },

  'PATCH /api/labels/:labelId': async ({ api, build }) => {
    const { companyId } = await build.issue({ labels: ['bug'] });
    const { body } = await api.get(`/api/companies/${companyId}/labels`).expect(200);
    return () => api.patch(`/api/labels/${body[0].id}`).send({ name: 'defect' });
  },
  'DELETE /api/labels/:labelId': async ({ api, build }) => {
    const { companyId } = await build.issue({ labels: ['bug'] });
    const { body } = await api.get(`/api/companies/${companyId}/labels`).expect(200);
    return () => api.delete(`/api/labels/${body[0].id}`);
  },

  'PUT /api/issues/:issueId/documents/:key': async ({ api, build }) => {
    const { id } = await build.issue();
    const body = { title: 'Plan', format: 'markdown', body: 'First …' };
    return () => api.put(`/api/issues/${id}/documents/plan`).send(body);
  },
  'DELETE /api/issues/:issueId/documents/:key': async ({ api, build }) => {
    const path = `/api/issues/${(await build.issue()).id}/documents/plan`;
    await api.put(path).send({ title: 'Plan', format: 'markdown', body: 'First …' }).expect(201);
    return () => api.delete(path);
  },

  'POST /api/companies/:companyId/issues/:issueId/attachments': async (harness) => {
    const { id, companyId } = await harness.build.issue();
    return () => upload(harness, `/api/companies/${companyId}/issues/${id}/attachments`);
  },
  'DELETE /api/attachments/:attachmentId': async (harness) => {
    const { id, companyId } = await harness.build.issue();
    const path = `/api/companies/${companyId}/issues/${id}/attachments`;
    const { body } = await upload(harness, path).expect(201);
    return () => harness.api.delete(`/api/attachments/${body.id}`);
  },
  'POST /api/companies/:companyId/logo': async (harness) => {
    const { id } = await harness.build.company();
    return () => upload(harness, `/api/companies/${id}/logo`);
  },

  'POST /api/companies/:companyId/approvals': async ({ api, build }) => {
    const { id } = await build.company();
    const body = { type: 'approve_ceo_strategy' };
    return () => api.post(`/api/companies/${id}/approvals`).send(body);
  },
  'POST /api/companies/:companyId/views': async ({ api, build }) => {
    const { id } = await build.company();
    const view = { name: 'Mine', screen: 'issues', query: 'status=todo' };
    return () => api.post(`/api/companies/${id}/views`).send(view);
  },
  'PATCH /api/views/:viewId': async (harness) => {
    const path = await savedView(harness);
    return () => harness.api.patch(path).send({ name: 'Another' });
  },
  'DELETE /api/views/:viewId': async (harness) => {
    const path = await savedView(harness);
    return () => harness.api.delete(path);
  },
  'POST /api/companies/:companyId/runners': async ({ api, build }) => {
    const { id } = await build.company();
    return () => api.post(`/api/companies/${id}/runners`).send({ name: 'Desk' });
  },
  'DELETE /api/companies/:companyId/runners/:runnerId': async ({ api, build }) => {
    const { id } = await build.company();
    const made = await api.post(`/api/companies/${id}/runners`).send({ name: 'Desk' });
    return () => api.delete(`/api/companies/${id}/runners/${made.body.id}`);
  },
  'POST /api/companies/:companyId/inbox/:itemId/snooze': async (harness) => {
    const path = await itemPath(harness);
    return () => harness.api.post(`${path}/snooze`).send(SOMEDAY);
  },
  'POST /api/companies/:companyId/inbox/:itemId/dismiss': async (harness) => {
    const path = await itemPath(harness);
    return () => harness.api.post(`${path}/dismiss`);
  },
  'DELETE /api/companies/:companyId/inbox/:itemId/snooze': async (harness) => {
    const path = await itemPath(harness);
    await harness.api.post(`${path}/snooze`).send(SOMEDAY).expect(200);
    return () => harness.api.delete(`${path}/snooze`);
  },
  'DELETE /api/companies/:companyId/inbox/:itemId/dismiss': async (harness) => {
    const path = await itemPath(harness);
    await harness.api.post(`${path}/dismiss`).expect(200);
    return () => harness.api.delete(`${path}/dismiss`);
  },
  'POST /api/companies/:companyId/agent-hires': async ({ api, build }) => {
    const { id } = await build.company();
    const body = { name: 'Ada', adapterType: 'scripted' };
    return () => api.post(`/api/companies/${id}/agent-hires`).send(body);
  },
  'POST /api/approvals/:approvalId/approve': async (harness) => decide(harness, 'approve'),
  'POST /api/approvals/:approvalId/reject': async (harness) => decide(harness, 'reject'),
  'POST /api/approvals/:approvalId/request-revision': async (harness) =>
    decide(harness, 'request-revision'),
  'POST /api/approvals/:approvalId/answer': async ({ api, build }) => {
    const { id } = await build.company();
    const question = { type: 'board_question', payload: { title: 'Ship?' } };
    const path = `/api/companies/${id}/approvals`;
    const { body } = await api.post(path).send(question).expect(201);
    return () => api.post(`/api/approvals/${body.id}/answer`).send({ note: 'Yes' });
  },
  'POST /api/approvals/:approvalId/resubmit': async (harness) => {
    const path = await approvalPath(harness);
    await harness.api.post(`${path}/request-revision`).expect(200);
    return () => harness.api.post(`${path}/resubmit`);
  },
  'POST /api/approvals/:approvalId/comments': async (harness) => {
    const path = await approvalPath(harness);
    return () => harness.api.post(`${path}/comments`).send({ body: 'Why?' });
  },

  'POST /api/companies/:companyId/cost-events': async ({ api, build }) => {
    const { id: agentId, companyId } = await build.agent();
    const cost = { provider: 'p', model: 'm', inputTokens: 3, outputTokens: 4, costCents: 5 };
    return () => api.post(`/api/companies/${companyId}/cost-events`).send({ ...cost, agentId });
  },

  'POST /api/companies/:companyId/routines': async ({ api, build }) => {
    const { id: assigneeAgentId, companyId } = await build.agent();
    const { id: projectId } = await build.project({ companyId });
    const body = { title: 'Report', assigneeAgentId, projectId };
    return () => api.post(`/api/companies/${companyId}/routines`).send(body);
  },
  'PATCH /api/routines/:routineId': async ({ api, build }) => {
    const { id } = await build.routine();
    return () => api.patch(`/api/routines/${id}`).send({ status: 'paused' });
  },
  'POST /api/routines/:routineId/triggers': async ({ api, build }) => {
    const { id } = await build.routine();
    return () => api.post(`/api/routines/${id}/triggers`).send({ kind: 'webhook' });
  },
  'PATCH /api/routine-triggers/:triggerId': async (harness) => {
    const { id } = await webhookOf(harness);
    return () => harness.api.patch(`/api/routine-triggers/${id}`).send({ enabled: false });
  },
  'DELETE /api/routine-triggers/:triggerId': async (harness) => {
    const { id } = await webhookOf(harness);
    return () => harness.api.delete(`/api/routine-triggers/${id}`);
  },
  'POST /api/routine-triggers/:triggerId/rotate-secret': async (harness) => {
    const { id } = await webhookOf(harness);
    return () => harness.api.post(`/api/routine-triggers/${id}/rotate-secret`);
  },
  'POST /api/routines/:routineId/run': async ({ api, build }) => {
    const { id } = await build.routine();
    return () => api.post(`/api/routines/${id}/run`);
  },
  'POST /api/routine-triggers/public/:publicId/fire': async (harness) => {
    const { publicId, secret } = await webhookOf(harness);
    const path = `/api/routine-triggers/public/${publicId}/fire`;
    return () => harness.api.post(path).set('Authorization', `Bearer ${secret}`);
  },

  'POST /api/companies/:companyId/secrets': async ({ api, build }) => {
    const { id } = await build.company();
    return () => api.post(`/api/companies/${id}/secrets`).send({ name: 'KEY', value: 'v' });
  },
  'DELETE /api/secrets/:secretId': async ({ api, build }) => {
    const { id } = await build.secret();
    return () => api.delete(`/api/secrets/${id}`);
  },
  'PATCH /api/secrets/:secretId': async ({ api, build }) => {
    const { id } = await build.secret();
    return () => api.patch(`/api/secrets/${id}`).send({ value: 'v2' });
  },

  'POST /api/agents/:agentId/heartbeat/invoke': async ({ api, build }) => {
    const { id } = await build.agent();
    return () => api.post(`/api/agents/${id}/heartbeat/invoke`);
  },
  'POST /api/heartbeat-runs/:runId/cancel': async ({ api, build }) => {
    const { id } = await build.queuedRun((await build.agent()).id);
    return () => api.post(`/api/heartbeat-runs/${id}/cancel`);
  },
  'POST /api/heartbeat-runs/:runId/finish': async ({ api, build, db }) => {
    const { id, authorization } = await build.liveRun();
    await db.heartbeatRun.update({ where: { id }, data: { isDetached: true } });
    const path = `/api/heartbeat-runs/${id}/finish`;
    return () => api.post(path).set('Authorization', authorization).send({ status: 'succeeded' });
  },
  'POST /api/companies/:companyId/heartbeat-runs/cancel': async ({ api, build }) => {
    const { id, companyId } = await build.queuedRun((await build.agent()).id);
    const path = `/api/companies/${companyId}/heartbeat-runs/cancel`;
    return () => api.post(path).send({ runIds: [id] });
  },
  'POST /api/companies/:companyId/heartbeat-runs/retry': async ({ api, build }) => {
    const { id, companyId } = await build.queuedRun((await build.agent()).id);
    await api.post(`/api/heartbeat-runs/${id}/cancel`).expect(200);
    const path = `/api/companies/${companyId}/heartbeat-runs/retry`;
    return () => api.post(path).send({ filter: {} });
  },
  'POST /api/heartbeat-runs/:runId/retry': async ({ api, build }) => {
    const { id } = await build.queuedRun((await build.agent()).id);
    await api.post(`/api/heartbeat-runs/${id}/cancel`).expect(200);
    return () => api.post(`/api/heartbeat-runs/${id}/retry`);
  },
};
