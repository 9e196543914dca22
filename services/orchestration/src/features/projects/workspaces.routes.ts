import {
  createWorkspaceBody,
  listWorkspacesQuery,
  updateWorkspaceBody,
  workspace,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../pipeline';
import { addWorkspace } from './add-workspace';
import { deleteWorkspace } from './delete-workspace';
import { updateWorkspace } from './update-workspace';
import { listWorkspaces } from './workspaces';

type Named = { projectId: string; workspaceId: string };

export const workspaceRoutes = () => [
  route({
    method: 'GET',
    path: '/api/projects/:projectId/workspaces',
    access: 'agent-or-board',
    query: listWorkspacesQuery,
    answer: z.array(workspace),
    handle: (call) => listWorkspaces(call, call.params.projectId as string, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/projects/:projectId/workspaces',
    access: 'agent-or-board',
    body: createWorkspaceBody,
    answer: workspace,
    handle: (call) => addWorkspace(call, call.params.projectId as string, call.body),
  }),
  route({
    method: 'PATCH',
    path: '/api/projects/:projectId/workspaces/:workspaceId',
    access: 'agent-or-board',
    body: updateWorkspaceBody,
    answer: workspace,
    handle: (call) => {
      const { projectId, workspaceId } = call.params as Named;
      return updateWorkspace(call, projectId, workspaceId, call.body);
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/projects/:projectId/workspaces/:workspaceId',
    access: 'agent-or-board',
    handle: (call) => {
      const { projectId, workspaceId } = call.params as Named;
      return deleteWorkspace(call, projectId, workspaceId);
    },
  }),
];
