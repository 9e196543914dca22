import {
  agentCost,
  costEvent,
  costSummary,
  costSummaryQuery,
  createCostEventBody,
  dayCost,
  issueCost,
  listCostEventsQuery,
  listCostsQuery,
  listLimitsQuery,
  modelCost,
  projectCost,
  providerCost,
  runCost,
  spendingLimit,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { createCostEvent } from './create-cost-event';
import { listCostEvents } from './list-cost-events';
import { listLimits } from './list-limits';
import { getCostSummary } from './reports/cost-summary';
import { listCostsByAgent } from './reports/costs-by-agent';
import { listCostsByDay } from './reports/costs-by-day';
import { listCostsByIssue } from './reports/costs-by-issue';
import { listCostsByModel } from './reports/costs-by-model';
import { listCostsByProject } from './reports/costs-by-project';
import { listCostsByProvider } from './reports/costs-by-provider';
import { listCostsByRun } from './reports/costs-by-run';

export const costRoutes = [
  route({
    method: 'POST',
    path: '/api/companies/:companyId/cost-events',
    operation: 'createCostEvent',
    summary: 'Report a cost; an agent may only report its own',
    errors: ['not_own', 'semantic_error', 'idempotency_conflict'],
    access: 'agent-or-board',
    // Spend that causes a pause may be reported after the pause and must count.
    allowPaused: true,
    body: createCostEventBody,
    response: costEvent,
    otherResponses: { 200: costEvent },
    handle: (call) => createCostEvent(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/cost-events',
    operation: 'listCostEvents',
    summary: 'List cost events, newest first',
    access: 'agent-or-board',
    query: listCostEventsQuery,
    response: z.array(costEvent),
    handle: (call) => listCostEvents(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/summary',
    operation: 'getCostSummary',
    summary: 'Read the spend and the budget of a company',
    access: 'agent-or-board',
    query: costSummaryQuery,
    response: costSummary,
    handle: (call) => getCostSummary(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/by-agent',
    operation: 'listCostsByAgent',
    summary: 'List the spend by agent',
    access: 'agent-or-board',
    query: listCostsQuery,
    response: z.array(agentCost),
    handle: (call) => listCostsByAgent(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/by-project',
    operation: 'listCostsByProject',
    summary: 'List the spend by project',
    access: 'agent-or-board',
    query: listCostsQuery,
    response: z.array(projectCost),
    handle: (call) => listCostsByProject(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/by-day',
    operation: 'listCostsByDay',
    summary: 'List the spend by UTC day',
    access: 'agent-or-board',
    query: listCostsQuery,
    response: z.array(dayCost),
    handle: (call) => listCostsByDay(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/by-provider',
    operation: 'listCostsByProvider',
    summary: 'List the spend by provider',
    access: 'agent-or-board',
    query: listCostsQuery,
    response: z.array(providerCost),
    handle: (call) => listCostsByProvider(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/by-model',
    operation: 'listCostsByModel',
    summary: 'List the spend by model',
    access: 'agent-or-board',
    query: listCostsQuery,
    response: z.array(modelCost),
    handle: (call) => listCostsByModel(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/by-issue',
    operation: 'listCostsByIssue',
    summary: 'List the spend by issue',
    access: 'agent-or-board',
    query: listCostsQuery,
    response: z.array(issueCost),
    handle: (call) => listCostsByIssue(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/by-run',
    operation: 'listCostsByRun',
    summary: 'List the spend by run',
    access: 'agent-or-board',
    query: listCostsQuery,
    response: z.array(runCost),
    handle: (call) => listCostsByRun(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/costs/limits',
    operation: 'listLimits',
    summary: 'List the agents and company near or at a monthly limit',
    access: 'agent-or-board',
    query: listLimitsQuery,
    response: z.array(spendingLimit),
    handle: (call) => listLimits(call, call.query),
  }),
];
