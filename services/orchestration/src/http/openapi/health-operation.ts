import type { Operation } from '@switchyard/server';
import { z } from 'zod';
import { refusals } from './refusals';

const status = z.enum(['ok', 'unavailable']);
const health = z.object({
  status,
  timestamp: z.iso.datetime(),
  version: z.string().describe('The release of this process'),
  components: z.record(z.string(), status),
});

const answer = (description: string) => ({
  description,
  headers: {
    'X-Correlation-ID': { $ref: '#/components/headers/CorrelationId' as const },
    'X-Acting-As': { $ref: '#/components/headers/ActingAs' as const },
  },
  content: { 'application/json': { schema: health } },
});

export const HEALTH_OPERATION: Operation = {
  method: 'GET',
  path: '/api/health',
  operationId: 'getHealth',
  summary: "Report the state of the service's dependencies",
  tags: ['Health'],
  security: [],
  responses: {
    200: answer('Healthy'),
    503: answer('Unavailable'),
    ...refusals(['forbidden']),
  },
};
