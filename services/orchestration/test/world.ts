import { newId } from '@switchyard/db';
import type { AgentDetailView } from '@switchyard/types';
import type { Harness } from './harness';

/** A value for every path parameter that a route may have, all of one company, and a few ids more. */
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
  agent: AgentDetailView;
  colleague: AgentDetailView;
}

/** A company with one of everything that a path can name. */
export async function buildSide(harness: Pick<Harness, 'api' | 'build' | 'db'>): Promise<Side> {
  const { api, build, db } = harness;
  const agent = await build.agent();
  const { id: agentId, companyId } = agent;
  const colleague = await build.agent({ companyId });
  const issue = await build.issue({ companyId });
  const run = await build.liveRun(agent);
  const { body: key } = await api.post(`/api/agents/${agentId}/keys`).send({}).expect(201);
  const secret = await build.secret({ companyId });
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
    assetId: newId(),
    attachmentId: newId(),
    documentRevisionId: newId(),
    adapterType: 'process',
    key: 'plan',
  };
  await createRows(harness, ids);
  return { ids, agent, colleague };
}

async function createRows({ db }: Pick<Harness, 'db'>, ids: Ids) {
  const { companyId, issueId, projectId, assetId, documentRevisionId } = ids;
  await db.goal.create({ data: { id: ids.goalId, companyId, title: 'Goal' } });
  await db.project.create({ data: { id: projectId, companyId, name: 'Project' } });
  const workspace = { name: 'Workspace', repoUrl: 'https://example.com/repo' };
  await db.workspace.create({ data: { id: ids.workspaceId, companyId, projectId, ...workspace } });
  const comment = { body: 'Comment', authorUserId: 'local-board' };
  await db.issueComment.create({ data: { id: newId(), companyId, issueId, ...comment } });
  const asset = { storageKey: newId(), contentType: 'image/png', byteSize: 1, sha256: 'none' };
  await db.asset.create({ data: { id: assetId, companyId, ...asset } });
  const attachment = { issueId, assetId, originalFilename: 'file.png' };
  await db.attachment.create({ data: { id: ids.attachmentId, companyId, ...attachment } });
  const documentId = newId();
  const latest = { latestRevisionId: documentRevisionId, latestRevisionNumber: 1 };
  await db.issueDocument.create({
    data: { id: documentId, companyId, issueId, key: ids.key as string, ...latest },
  });
  const revision = { revisionNumber: 1, title: 'Plan', format: 'markdown', body: 'Text' };
  await db.documentRevision.create({
    data: { id: documentRevisionId, companyId, documentId, ...revision },
  });
}

const PARAMETER = /:([A-Za-z]+)/g;

export const parametersOf = (path: string): string[] =>
  [...path.matchAll(PARAMETER)].map((match) => match[1] as string);

/** `path` with every parameter replaced. @throws Error for one that no side has */
export function fill(path: string, ids: Ids): string {
  return path.replace(PARAMETER, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${path}: test/world.ts makes no :${name}`);
    return encodeURIComponent(id);
  });
}
