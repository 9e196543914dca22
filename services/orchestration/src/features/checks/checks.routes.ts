import { checkAgentBody, finding } from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { askForCheck } from './ask-for-check';
import { recordCheck } from './record-check';

export const checkRoutes = (effects: Effects) => [
  route({
    method: 'POST',
    path: '/api/agents/:agentId/check',
    operation: 'checkAgent',
    summary: 'Look whether an agent could run: its program, model, working directory, address',
    refuses: ['not_own', 'unavailable'],
    access: 'agent-or-board',
    status: 200,
    body: checkAgentBody,
    answer: z.array(finding),
    // A worker can only see a row that is committed, so the wait is outside the transaction of an Idempotency-Key.
    explore: (call) => askForCheck(effects, call, call.params.agentId as string),
    handle: (call, findings) => recordCheck(call, call.params.agentId as string, findings),
  }),
];
