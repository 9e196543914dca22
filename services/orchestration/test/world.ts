import { randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import type { AgentDetailView } from '@switchyard/types';
import { newRunnerToken } from '../src/access/credentials/runner-tokens';
import type { Harness } from './harness';

export interface Ids {
  companyId: string;
  agentId: string;
  issueId: string;
  runId: string;
  goalId: string;
  projectId: string;
  workspaceId: string;
  assetId: string;
  attachmentId: string;
  documentRevisionId: string;
  [parameter: string]: string;
}

export interface Side {
  ids: Ids;
  runnerToken: string;
  agent: AgentDetailView;
  colleague: AgentDetailView;
}

export async function buildSide(harness: Pick<Harness, 'api' | 'build' | 'db'>): Promise<Side> {
  const { api, build, db } = harness;
  const agent = await build.agent();
  const { id: agentId, companyId } = agent;
  const colleague = await build.agent({ companyId });
  const issue = await build.issue({ companyId });
  const run = await build.liveRun(agent);
  const { body: key } = await api.post(`/api/agents/${agentId}/keys`).send({}).expect(201);
  const secret = await build.secret({ companyId });
  const { body: attachment } = await api
    .post(`/api/companies/${companyId}/issues/${issue.id}/attachments`)
    .attach('file', Buffer.from('some text'), 'file.txt')
    .expect(201);
  const approvalId = newId();
  const revision = await db.agentConfigRevision.findFirstOrThrow({ where: { agentId } });
  const ids: Ids = {
    companyId,
    agentId,
    colleagueId: colleague.id,
    issueId: issue.id,
    runId: run.id,
    keyId: key.id as string,
    revisionId: revision.id,
    secretId: secret.id,
    goalId: newId(),
    projectId: newId(),
    workspaceId: newId(),
    assetId: attachment.assetId as string,
    attachmentId: attachment.id as string,
    documentRevisionId: newId(),
    approvalId,
    itemId: `approval:${approvalId}`,
    commentId: newId(),
    labelId: newId(),
    viewId: newId(),
    spendCapId: newId(),
    runLimitId: newId(),
    runnerId: newId(),
    checkId: newId(),
    memberId: newId(),
    inviteId: newId(),
    sessionId: newId(),
    tokenId: newId(),
    adapterType: 'process',
    token: 'x'.repeat(43),
    key: 'plan',
  };
  const runnerToken = await createRows(harness, ids);
  await createPeople(harness, ids);
  await createRoutine(harness, ids);
  await createEndpoint(harness, ids);
  return { ids, runnerToken, agent, colleague };
}

async function createRows({ db }: Pick<Harness, 'db'>, ids: Ids): Promise<string> {
  const { companyId, issueId, projectId, documentRevisionId } = ids;
  await db.goal.create({ data: { id: ids.goalId, companyId, title: 'Goal' } });
  await db.project.create({ data: { id: projectId, companyId, name: 'Project' } });
  const workspace = { name: 'Workspace', repoUrl: 'https://example.com/repo' };
  await db.workspace.create({ data: { id: ids.workspaceId, companyId, projectId, ...workspace } });
  const comment = { body: 'Comment', authorUserId: 'local-board' };
  const commentId = ids.commentId as string;
  await db.issueComment.create({ data: { id: commentId, companyId, issueId, ...comment } });
  const label = { id: ids.labelId as string, companyId, name: 'Label', key: 'label' };
  await db.label.create({ data: label });
  const view = { name: 'View', nameKey: 'view', screen: 'issues', query: '', isShared: true };
  const viewId = ids.viewId as string;
  await db.savedView.create({ data: { id: viewId, companyId, userId: 'local-board', ...view } });
  const cap = { scope: 'company', scopeId: companyId, period: 'total', cents: 1_000_000 };
  await db.spendCap.create({ data: { id: ids.spendCapId as string, companyId, ...cap } });
  const limit = { key: 'provider:anthropic', maxRunning: 8 };
  await db.runLimit.create({ data: { id: ids.runLimitId as string, companyId, ...limit } });
  const runnerId = ids.runnerId as string;
  const { token, hash: tokenHash } = newRunnerToken();
  await db.runner.create({
    data: { id: runnerId, companyId, name: 'Runner', nameKey: 'runner', tokenHash },
  });
  const documentId = newId();
  const latest = { latestRevisionId: documentRevisionId, latestRevisionNumber: 1 };
  await db.issueDocument.create({
    data: { id: documentId, companyId, issueId, key: ids.key as string, ...latest },
  });
  const revision = { revisionNumber: 1, title: 'Plan', format: 'markdown', body: 'Text' };
  await db.documentRevision.create({
    data: { id: documentRevisionId, companyId, documentId, ...revision },
  });
  return token;
}

async function createEndpoint({ api, db }: Pick<Harness, 'api' | 'db'>, ids: Ids) {
  const path = `/api/companies/${ids.companyId}/endpoints`;
  const { body: endpoint } = await api.post(path).send({ url: 'https://example.com/hook' });
  const { body: delivery } = await api.post(`/api/endpoints/${endpoint.id}/test`).send({});
  await db.delivery.update({
    where: { id: delivery.id },
    data: { status: 'given_up', nextAttemptAt: null },
  });
  Object.assign(ids, { endpointId: endpoint.id, deliveryId: delivery.id });
}

async function createRoutine({ api }: Pick<Harness, 'api'>, ids: Ids) {
  const { companyId, agentId, projectId } = ids;
  const post = async (path: string, body: object) =>
    (await api.post(path).send(body)).body as Record<string, string>;
  const fields = { title: 'Routine', assigneeAgentId: agentId, projectId };
  const routine = await post(`/api/companies/${companyId}/routines`, fields);
  const triggers = `/api/routines/${routine.id}/triggers`;
  const schedule = await post(triggers, { kind: 'schedule', cronExpression: '0 0 1 1 *' });
  const webhook = await post(triggers, { kind: 'webhook' });
  const run = await post(`/api/routines/${routine.id}/run`, { payload: {} });
  // Cancels the waiting run here, because a later pause would cancel it and record another
  // activity.
  await post(`/api/heartbeat-runs/${run.heartbeatRunId}/cancel`, {});
  Object.assign(ids, {
    routineId: routine.id,
    triggerId: schedule.id,
    webhookId: webhook.id,
    publicId: webhook.publicId,
    routineRunId: run.id,
  });
}

async function createPeople({ db }: Pick<Harness, 'db'>, ids: Ids) {
  const { companyId, agentId, issueId, approvalId, memberId, inviteId } = ids as Required<Ids>;
  const approval = { type: 'approve_ceo_strategy', requestedByAgentId: agentId };
  await db.approval.create({ data: { id: approvalId as string, companyId, ...approval } });
  await db.approvalIssue.create({ data: { companyId, issueId, approvalId: approvalId as string } });
  const comment = { body: 'Comment', authorAgentId: agentId };
  await db.approvalComment.create({
    data: { id: newId(), companyId, approvalId: approvalId as string, ...comment },
  });
  const person = {
    id: newId(),
    email: `${newId()}@example.com`,
    name: 'Member',
    passwordHash: '-',
  };
  await db.person.create({ data: person });
  const membership = { companyId, userId: person.id, role: 'operator' };
  await db.membership.create({ data: { id: memberId as string, ...membership } });
  const invite = { companyId, role: 'viewer', createdByUserId: person.id };
  const [tokenHash, expiresAt] = [randomBytes(32), new Date(Date.now() + 86_400_000)];
  const id = inviteId as string;
  await db.invite.create({ data: { id, ...invite, tokenHash, expiresAt } });
}

const PARAMETER = /:(\w+)/g;

export const parametersOf = (path: string): string[] =>
  [...path.matchAll(PARAMETER)].map((match) => match[1] as string);

export function fill(path: string, ids: Ids): string {
  return path.replace(PARAMETER, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${path}: test/world.ts makes no :${name}`);
    return encodeURIComponent(id);
  });
}
