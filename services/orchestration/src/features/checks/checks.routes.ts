import { adapter, checkAgentBody, finding } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../pipeline';
import { listAdapters } from './list-adapters';
import { recordCheck } from './record-check';
import { requestDiagnosis } from './request-diagnosis';

export const checkRoutes = [
  route({
    method: 'GET',
    path: '/api/adapters',
    operation: 'listAdapters',
    summary: 'List what agents can run on',
    access: 'agent-or-board',
    response: z.array(adapter),
    handle: (call) => listAdapters(call),
  }),
  route({
    method: 'POST',
    path: '/api/agents/:agentId/check',
    operation: 'checkAgent',
    summary: 'Look whether an agent could run: its program, model, working directory, address',
    errors: ['not_own', 'unavailable'],
    access: 'agent-or-board',
    status: 200,
    body: checkAgentBody,
    response: z.array(finding),
    // A worker can only see a row that is committed, so the wait is outside the transaction of an Idempotency-Key.
    prepare: (call) => requestDiagnosis(call, call.params.agentId),
    handle: (call, findings) => recordCheck(call, call.params.agentId, findings),
  }),
];
