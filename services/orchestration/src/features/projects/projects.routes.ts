import {
  createProjectBody,
  listedProject,
  listProjectsQuery,
  projectDetail,
  updateProjectBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { createProject } from './create-project';
import { getProject, listProjects } from './projects';
import { updateProject } from './update-project';

export const projectRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/projects',
    operation: 'listProjects',
    summary: 'List the projects of a company',
    access: 'agent-or-board',
    query: listProjectsQuery,
    response: z.array(listedProject),
    handle: (call) => listProjects(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/projects',
    operation: 'createProject',
    summary: 'Create a project, with its first workspace if one is given',
    errors: ['semantic_error', 'unknown_reference', 'board_only', 'storage_full'],
    access: 'agent-or-board',
    body: createProjectBody,
    response: projectDetail,
    handle: (call) => createProject(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/projects/:projectId',
    operation: 'getProject',
    summary: 'Read a project with its goals and workspaces',
    access: 'agent-or-board',
    response: projectDetail,
    handle: (call) => getProject(call, call.params.projectId),
  }),
  route({
    method: 'PATCH',
    path: '/api/projects/:projectId',
    operation: 'updateProject',
    summary: 'Change a project',
    errors: ['storage_full'],
    access: 'agent-or-board',
    body: updateProjectBody,
    response: projectDetail,
    handle: (call) => updateProject(call, call.params.projectId, call.body),
  }),
];
