import {
  type CreateWorkspaceBody,
  createProjectBody,
  createWorkspaceBody,
  updateProjectBody,
  type WorkspaceView,
} from '@switchyard/types';
import { z } from 'zod';
import type { Tx } from '../../../kernel/call';
import { addWorkspace } from '../../projects/add-workspace';
import { createProject } from '../../projects/create-project';
import { deleteWorkspace } from '../../projects/delete-workspace';
import { getProject } from '../../projects/projects';
import { updateProject } from '../../projects/update-project';
import { updateWorkspace } from '../../projects/update-workspace';
import { SLUG } from '../slug-of';
import { defineKind, OLDEST_FIRST, type Place } from './kind';
import { nameSecret, secretByName } from './secret-names';

const workspaceFile = z.strictObject({
  ...createWorkspaceBody.shape,
  name: createWorkspaceBody.shape.name.unwrap(),
  repoCredential: secretByName.nullable().optional(),
});
type WorkspaceFile = z.infer<typeof workspaceFile>;

const workspaces = z.array(workspaceFile).max(200).optional();

export const projects = defineKind({
  folder: 'projects/',
  slug: SLUG,
  named: 'name',
  fields: {
    name: null,
    status: null,
    targetDate: null,
    lead: { to: 'agents', as: 'leadAgentId' },
    goals: { to: 'goals', as: 'goalIds', isList: true },
    workspaces: null,
  },
  text: 'description',
  creates: createProjectBody.omit({ workspace: true }).extend({ workspaces }),
  updates: updateProjectBody.extend({ workspaces }),
  read: async (source, page) => {
    const { db, companyId, secrets } = source;
    const rows = await db.prisma.project.findMany({
      where: { companyId },
      select: { id: true },
      orderBy: [...OLDEST_FIRST],
      ...page,
    });
    const found = [];
    for (const { id } of rows) {
      const project = await getProject(source, id);
      const inOrder = project.workspaces.reverse();
      found.push({ ...project, workspaces: inOrder.map((one) => showWorkspace(one, secrets)) });
    }
    return found;
  },
  create: async (tx, { workspaces, ...body }, place) => {
    const { id } = await createProject(tx, body);
    await writeWorkspaces(tx, id, workspaces ?? [], place);
    return id;
  },
  update: async (tx, id, { workspaces, ...body }, place) => {
    if (Object.keys(body).length > 0) await updateProject(tx, id, body);
    if (workspaces) await writeWorkspaces(tx, id, workspaces, place);
  },
});

function showWorkspace(workspace: WorkspaceView, secrets: ReadonlyMap<string, string>) {
  const { name, cwd, repoUrl, repoRef, repoCredential, isPrimary } = workspace;
  const credential = repoCredential && nameSecret(repoCredential, secrets);
  return { name, cwd, repoUrl, repoRef, repoCredential: credential, isPrimary };
}

async function writeWorkspaces(tx: Tx, projectId: string, wanted: WorkspaceFile[], place: Place) {
  const left = (await getProject(tx, projectId)).workspaces.reverse();
  for (const [index, workspace] of wanted.entries()) {
    const body = workspaceBody(workspace, ['workspaces', index], place);
    const at = left.findIndex(({ name }) => name === workspace.name);
    const [before] = at < 0 ? [] : left.splice(at, 1);
    if (before) await updateWorkspace(tx, projectId, before.id, body);
    else await addWorkspace(tx, projectId, body);
  }
  for (const { id } of left) await deleteWorkspace(tx, projectId, id);
}

function workspaceBody(
  { repoCredential: named, isPrimary, ...rest }: WorkspaceFile,
  path: (string | number)[],
  place: Place,
): CreateWorkspaceBody {
  const repoCredential = named && {
    type: 'secret_ref' as const,
    secretId: place.secretId(named.secret, [...path, 'repoCredential']),
    version: named.version ?? ('latest' as const),
  };
  return {
    ...rest,
    ...(repoCredential !== undefined && { repoCredential }),
    ...(isPrimary && { isPrimary }),
  };
}
