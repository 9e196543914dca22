import {
  agentCost,
  costEvent,
  costSummary,
  createCostEventBody,
  listCostsQuery,
  projectCost,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../pipeline';
import { getCostSummary } from './cost-summary';
import { listCostsByAgent } from './costs-by-agent';
import { listCostsByProject } from './costs-by-project';
import { createCostEvent } from './create-cost-event';

export const costRoutes = [
  route({
    method: 'POST',
    path: '/api/companies/:companyId/cost-events',
    operation: 'createCostEvent',
    summary: 'Report what was spent; an agent for itself only',
    errors: ['not_own', 'semantic_error', 'idempotency_conflict'],
    access: 'agent-or-board',
    // What is spent is spent: a report that comes after the pause that it caused must count.
    allowPaused: true,
    body: createCostEventBody,
    response: costEvent,
    otherResponses: { 200: costEvent },
    handle: (call) => createCostEvent(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/summary',
    operation: 'getCostSummary',
    summary: "Read this month's spend and budget of a company",
    access: 'agent-or-board',
    response: costSummary,
    handle: (call) => getCostSummary(call),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/by-agent',
    operation: 'listCostsByAgent',
    summary: "List this month's spend by agent",
    access: 'agent-or-board',
    query: listCostsQuery,
    response: z.array(agentCost),
    handle: (call) => listCostsByAgent(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/by-project',
    operation: 'listCostsByProject',
    summary: "List this month's spend by project",
    access: 'agent-or-board',
    query: listCostsQuery,
    response: z.array(projectCost),
    handle: (call) => listCostsByProject(call, call.query),
  }),
];
