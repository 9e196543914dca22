import { z } from 'zod';
import type { Operation } from './build-document';

const components = z.record(z.string(), z.enum(['ok', 'unavailable']));
const readiness = z.object({ status: z.enum(['ok', 'unavailable', 'stopping']), components });

const json = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema } },
});

export const PROBE_OPERATIONS: Operation[] = [
  {
    method: 'GET',
    path: '/livez',
    operationId: 'getLiveness',
    summary: 'Report whether the process responds; checks no other service',
    tags: ['Health'],
    security: [],
    responses: { 200: json('Alive', z.object({ status: z.literal('ok') })) },
  },
  {
    method: 'GET',
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Report whether the process accepts work: checks the database and the schema version',
    tags: ['Health'],
    security: [],
    responses: { 200: json('Ready', readiness), 503: json('Not ready', readiness) },
  },
];
