import {
  createProjectBody,
  listProjectsQuery,
  projectDetail,
  projectSummary,
  updateProjectBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../pipeline';
import { createProject } from './create-project';
import { getProject, listProjects } from './projects';
import { updateProject } from './update-project';

export const projectRoutes = () => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/projects',
    access: 'agent-or-board',
    query: listProjectsQuery,
    answer: z.array(projectSummary),
    handle: (call) => listProjects(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/projects',
    access: 'agent-or-board',
    body: createProjectBody,
    answer: projectDetail,
    handle: (call) => createProject(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/projects/:projectId',
    access: 'agent-or-board',
    answer: projectDetail,
    handle: (call) => getProject(call.db.prisma, call.params.projectId as string),
  }),
  route({
    method: 'PATCH',
    path: '/api/projects/:projectId',
    access: 'agent-or-board',
    body: updateProjectBody,
    answer: projectDetail,
    handle: (call) => updateProject(call, call.params.projectId as string, call.body),
  }),
];
