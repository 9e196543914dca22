import type supertest from 'supertest';
import type { Harness } from './harness';

type Request = supertest.Test;

/** One valid call of a route: everything it needs is made first, then the call is answered unsent. */
export type ValidCall = (harness: Harness) => Promise<Request> | Request;

const lockedIssue = async ({ api, build }: Harness) => {
  const run = await build.liveRun();
  const issue = await build.issue({ companyId: run.agent.companyId, status: 'todo' });
  const body = { agentId: run.agent.id, expectedStatuses: ['todo'] };
  const checkout = () =>
    api.post(`/api/issues/${issue.id}/checkout`).set('Authorization', run.authorization).send(body);
  return { run, issue, checkout };
};

const pausedAgent = async ({ api, build }: Harness) => {
  const agent = await build.agent();
  await api.post(`/api/agents/${agent.id}/pause`).expect(200);
  return agent;
};

/**
 * A valid call for every route that changes something, by method and path. A route without a line here
 * fails the sweep in `mutations.test.ts`.
 */
export const VALID_CALLS: Record<string, ValidCall> = {
  'POST /api/companies': ({ api }) => api.post('/api/companies').send({ name: 'Acme' }),
  'PATCH /api/companies/:companyId': async ({ api, build }) =>
    api.patch(`/api/companies/${(await build.company()).id}`).send({ name: 'Renamed' }),
  'POST /api/companies/:companyId/archive': async ({ api, build }) =>
    api.post(`/api/companies/${(await build.company()).id}/archive`),

  'POST /api/companies/:companyId/agents': async ({ api, build }) =>
    api
      .post(`/api/companies/${(await build.company()).id}/agents`)
      .send({ name: 'Ada', adapterType: 'scripted' }),
  'PATCH /api/agents/:agentId': async ({ api, build }) =>
    api.patch(`/api/agents/${(await build.agent()).id}`).send({ title: 'Lead' }),
  'POST /api/agents/:agentId/pause': async ({ api, build }) =>
    api.post(`/api/agents/${(await build.agent()).id}/pause`),
  'POST /api/agents/:agentId/resume': async (harness) =>
    harness.api.post(`/api/agents/${(await pausedAgent(harness)).id}/resume`),
  'POST /api/agents/:agentId/terminate': async ({ api, build }) =>
    api.post(`/api/agents/${(await build.agent()).id}/terminate`),
  'POST /api/agents/:agentId/keys': async ({ api, build }) =>
    api.post(`/api/agents/${(await build.agent()).id}/keys`),
  'DELETE /api/agents/:agentId/keys/:keyId': async ({ api, build }) => {
    const path = `/api/agents/${(await build.agent()).id}/keys`;
    const { body } = await api.post(path).expect(201);
    return api.delete(`${path}/${body.id}`);
  },
  'POST /api/agents/:agentId/config-revisions/:revisionId/rollback': async ({ api, build }) => {
    const path = `/api/agents/${(await build.agent()).id}`;
    await api.patch(path).send({ title: 'Lead' }).expect(200);
    const { body } = await api.get(`${path}/config-revisions`).expect(200);
    return api.post(`${path}/config-revisions/${body.at(-1).id}/rollback`);
  },

  'POST /api/companies/:companyId/issues': async ({ api, build }) =>
    api.post(`/api/companies/${(await build.company()).id}/issues`).send({ title: 'Do it' }),
  'PATCH /api/issues/:issueId': async ({ api, build }) =>
    api.patch(`/api/issues/${(await build.issue()).id}`).send({ priority: 'high' }),
  'POST /api/issues/:issueId/checkout': async (harness) => (await lockedIssue(harness)).checkout(),
  'POST /api/issues/:issueId/release': async (harness) => {
    const { issue, run, checkout } = await lockedIssue(harness);
    await checkout().expect(200);
    return harness.api
      .post(`/api/issues/${issue.id}/release`)
      .set('Authorization', run.authorization);
  },
  'POST /api/issues/:issueId/comments': async ({ api, build }) =>
    api.post(`/api/issues/${(await build.issue()).id}/comments`).send({ body: 'Done?' }),

  'POST /api/agents/:agentId/heartbeat/invoke': async ({ api, build }) =>
    api.post(`/api/agents/${(await build.agent()).id}/heartbeat/invoke`),
  'POST /api/heartbeat-runs/:runId/cancel': async ({ api, build }) => {
    const run = await build.queuedRun((await build.agent()).id);
    return api.post(`/api/heartbeat-runs/${run.id}/cancel`);
  },
  'POST /api/heartbeat-runs/:runId/retry': async ({ api, build }) => {
    const run = await build.queuedRun((await build.agent()).id);
    await api.post(`/api/heartbeat-runs/${run.id}/cancel`).expect(200);
    return api.post(`/api/heartbeat-runs/${run.id}/retry`);
  },
};
