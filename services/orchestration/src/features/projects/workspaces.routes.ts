import {
  createWorkspaceBody,
  listWorkspacesQuery,
  updateWorkspaceBody,
  workspace,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { addWorkspace } from './add-workspace';
import { deleteWorkspace } from './delete-workspace';
import { updateWorkspace } from './update-workspace';
import { listWorkspaces } from './workspaces';

export const workspaceRoutes = [
  route({
    method: 'GET',
    path: '/api/projects/:projectId/workspaces',
    operation: 'listWorkspaces',
    summary: 'List the workspaces of a project',
    access: 'agent-or-board',
    query: listWorkspacesQuery,
    response: z.array(workspace),
    handle: (call) => listWorkspaces(call, call.params.projectId, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/projects/:projectId/workspaces',
    operation: 'createWorkspace',
    summary: 'Add a workspace to a project',
    errors: ['semantic_error', 'unknown_reference', 'board_only'],
    access: 'agent-or-board',
    body: createWorkspaceBody,
    response: workspace,
    handle: (call) => addWorkspace(call, call.params.projectId, call.body),
  }),
  route({
    method: 'PATCH',
    path: '/api/projects/:projectId/workspaces/:workspaceId',
    operation: 'updateWorkspace',
    summary: 'Change a workspace',
    errors: ['semantic_error', 'unknown_reference', 'board_only', 'not_own'],
    access: 'agent-or-board',
    body: updateWorkspaceBody,
    response: workspace,
    handle: (call) =>
      updateWorkspace(call, call.params.projectId, call.params.workspaceId, call.body),
  }),
  route({
    method: 'DELETE',
    path: '/api/projects/:projectId/workspaces/:workspaceId',
    operation: 'deleteWorkspace',
    summary: 'Remove a workspace from its project',
    errors: ['not_own'],
    access: 'agent-or-board',
    handle: (call) => deleteWorkspace(call, call.params.projectId, call.params.workspaceId),
  }),
];
