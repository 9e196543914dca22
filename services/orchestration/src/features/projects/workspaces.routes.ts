import {
  createWorkspaceBody,
  listWorkspacesQuery,
  updateWorkspaceBody,
  workspace,
} from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { addWorkspace } from './add-workspace';
import { deleteWorkspace } from './delete-workspace';
import { updateWorkspace } from './update-workspace';
import { listWorkspaces } from './workspaces';

type Named = { projectId: string; workspaceId: string };

export const workspaceRoutes = ({ config }: Pick<Effects, 'config'>) => [
  route({
    method: 'GET',
    path: '/api/projects/:projectId/workspaces',
    operation: 'listWorkspaces',
    summary: 'List the workspaces of a project',
    access: 'agent-or-board',
    query: listWorkspacesQuery,
    answer: z.array(workspace),
    handle: (call) => listWorkspaces(call, call.params.projectId as string, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/projects/:projectId/workspaces',
    operation: 'createWorkspace',
    summary: 'Add a workspace to a project',
    refuses: ['semantic_error', 'unknown_reference', 'board_only'],
    access: 'agent-or-board',
    body: createWorkspaceBody,
    answer: workspace,
    handle: (call) => {
      const { projectId } = call.params as Named;
      return addWorkspace(call, config, projectId, call.body);
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/projects/:projectId/workspaces/:workspaceId',
    operation: 'updateWorkspace',
    summary: 'Change a workspace',
    refuses: ['semantic_error', 'unknown_reference', 'board_only'],
    access: 'agent-or-board',
    body: updateWorkspaceBody,
    answer: workspace,
    handle: (call) => {
      const { projectId, workspaceId } = call.params as Named;
      return updateWorkspace(call, config, projectId, workspaceId, call.body);
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/projects/:projectId/workspaces/:workspaceId',
    operation: 'deleteWorkspace',
    summary: 'Remove a workspace from its project',
    access: 'agent-or-board',
    handle: (call) => {
      const { projectId, workspaceId } = call.params as Named;
      return deleteWorkspace(call, projectId, workspaceId);
    },
  }),
];
