import { adapter, checkAgentBody, checkWorkspaceBody, finding } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { listAdapters } from './list-adapters';
import { recordCheck } from './record-check';
import { recordWorkspaceTest } from './record-workspace-test';
import { requestDiagnosis } from './request-diagnosis';
import { requestWorkspaceTest } from './request-workspace-test';

export const checkRoutes = [
  route({
    method: 'GET',
    path: '/api/adapters',
    operation: 'listAdapters',
    summary: 'List the adapters',
    access: 'agent-or-board',
    response: z.array(adapter),
    handle: (call) => listAdapters(call),
  }),
  route({
    method: 'POST',
    path: '/api/agents/:agentId/check',
    operation: 'checkAgent',
    summary: 'Check whether an agent can run: program, model, working directory and address',
    errors: ['not_own', 'unavailable'],
    access: 'agent-or-board',
    status: 200,
    body: checkAgentBody,
    response: z.array(finding),
    // A worker only sees committed rows, so the request waits outside the transaction.
    prepare: (call) => requestDiagnosis(call, call.params.agentId),
    handle: (call, findings) => recordCheck(call, call.params.agentId, findings),
  }),
  route({
    method: 'POST',
    path: '/api/projects/:projectId/workspaces/:workspaceId/check',
    operation: 'checkWorkspace',
    summary: 'Test a workspace on a runner: host, credential, reference and folder',
    errors: ['unknown_reference', 'cross_company', 'unavailable'],
    access: 'board',
    status: 200,
    body: checkWorkspaceBody,
    response: z.array(finding),
    prepare: (call) => requestWorkspaceTest(call, call.params.workspaceId, call.body),
    handle: (call, findings) =>
      recordWorkspaceTest(call, call.params.projectId, call.params.workspaceId, findings),
  }),
];
