import { newId } from '@switchyard/db';
import { unique } from '../builders';
import type { Harness } from '../harness';
import { buildSide } from '../world';

export type MistakesScene = Awaited<ReturnType<typeof buildMistakesScene>>;

export async function buildMistakesScene(harness: Harness) {
  const { api, build } = harness;
  const { ids, agent, colleague } = await buildSide(harness);
  const { companyId } = ids;
  const post = async (path: string, body: object, authorization?: string) => {
    const request = api.post(path).send(body);
    if (authorization) request.set('Authorization', authorization);
    const { status, body: answer } = await request;
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer as { id: string };
  };
  const issue = await build.issue({ companyId, status: 'todo', assigneeAgentId: agent.id });
  const done = await build.issue({ companyId, status: 'done' });
  const held = await build.issue({ companyId, status: 'todo' });
  const holder = await build.liveRun(colleague);
  const claim = { agentId: colleague.id, expectedStatuses: ['todo'] };
  await post(`/api/issues/${held.id}/checkout`, claim, holder.authorization);
  await api
    .put(`/api/issues/${issue.id}/documents/plan`)
    .send({ title: 'Plan', format: 'markdown', body: 'Text' })
    .expect(201);
  const paused = await build.agent({ companyId });
  const pausedAgent = await build.apiKey(paused.id);
  await post(`/api/agents/${paused.id}/pause`, {});
  const gone = await build.agent({ companyId });
  const revokedKey = await build.apiKey(gone.id);
  await post(`/api/agents/${gone.id}/terminate`, {});
  const ended = await build.liveRun(agent);
  await build.endLiveRun(ended.id);
  const strategy = { type: 'approve_ceo_strategy', payload: { plan: 'x' } };
  const decided = await post(`/api/companies/${companyId}/approvals`, strategy);
  await post(`/api/approvals/${decided.id}/approve`, {});
  await build.secret({ companyId, name: 'TAKEN' });
  const archived = await build.company();
  await post(`/api/companies/${archived.id}/archive`, {});
  const usedKey = newId();
  await api
    .post(`/api/companies/${companyId}/goals`)
    .set('Idempotency-Key', usedKey)
    .send({ title: unique('Goal') })
    .expect(201);
  const foreign = await build.agent();
  const authorization = await build.apiKey(agent.id);
  const run = await build.liveRun(agent);
  return {
    companyId,
    agentId: agent.id,
    agent: authorization,
    key: authorization.slice('Bearer '.length),
    token: run.authorization.slice('Bearer '.length),
    runId: run.id,
    endedToken: ended.authorization,
    revokedKey,
    colleagueId: colleague.id,
    pausedId: paused.id,
    pausedAgent,
    issueId: issue.id,
    doneId: done.id,
    heldId: held.id,
    approvalId: ids.approvalId as string,
    decidedId: decided.id,
    routineId: ids.routineId as string,
    publicId: ids.publicId as string,
    archivedId: archived.id,
    usedKey,
    foreignCompanyId: foreign.companyId,
    foreignAgentId: foreign.id,
  };
}
