import {
  adapterModel,
  agent,
  agentDetail,
  agentKey,
  configRevision,
  createAgentBody,
  createAgentKeyBody,
  createdAgentKey,
  listAgentKeysQuery,
  listAgentsQuery,
  listConfigRevisionsQuery,
  orgNode,
  updateAgentBody,
} from '@switchyard/types';
import { z } from 'zod';
import type { AgentActor } from '../../access/actor';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { createAgentKey, deleteAgentKey, listAgentKeys } from './agent-keys';
import { getAgent, getOrg, listAgents } from './agents';
import { createAgent } from './create-agent';
import { listModels } from './list-models';
import { listRevisions } from './list-revisions';
import { pauseAgent } from './pause-agent';
import { resumeAgent } from './resume-agent';
import { rollbackAgent } from './rollback-agent';
import { terminateAgent } from './terminate-agent';
import { updateAgent } from './update-agent';

export const agentRoutes = (effects: Effects) => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/agents',
    access: 'agent-or-board',
    query: listAgentsQuery,
    answer: z.array(agent),
    handle: (call) => listAgents(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/agents',
    access: 'board',
    body: createAgentBody,
    answer: agentDetail,
    handle: (call) => createAgent(effects, call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/org',
    access: 'agent-or-board',
    answer: z.array(orgNode),
    handle: (call) => getOrg(call.db, call.companyId),
  }),
  route({
    method: 'GET',
    path: '/api/agents/me',
    access: 'agent',
    answer: agentDetail,
    handle: (call) => getAgent(call.db.prisma, (call.actor as AgentActor).agentId),
  }),
  route({
    method: 'GET',
    path: '/api/agents/:agentId',
    access: 'agent-or-board',
    answer: agentDetail,
    handle: (call) => getAgent(call.db.prisma, call.params.agentId as string),
  }),
  route({
    method: 'PATCH',
    path: '/api/agents/:agentId',
    access: 'agent-or-board',
    body: updateAgentBody,
    answer: agentDetail,
    handle: (call) => updateAgent(effects, call, call.params.agentId as string, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/agents/:agentId/pause',
    access: 'board',
    status: 200,
    answer: agentDetail,
    handle: (call) => pauseAgent(call, call.params.agentId as string),
  }),
  route({
    method: 'POST',
    path: '/api/agents/:agentId/resume',
    access: 'board',
    status: 200,
    answer: agentDetail,
    handle: (call) => resumeAgent(call, call.params.agentId as string),
  }),
  route({
    method: 'POST',
    path: '/api/agents/:agentId/terminate',
    access: 'board',
    status: 200,
    answer: agentDetail,
    handle: (call) => terminateAgent(call, call.params.agentId as string),
  }),
  route({
    method: 'GET',
    path: '/api/agents/:agentId/keys',
    access: 'board',
    query: listAgentKeysQuery,
    answer: z.array(agentKey),
    handle: (call) => listAgentKeys(call, call.params.agentId as string, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/agents/:agentId/keys',
    access: 'board',
    body: createAgentKeyBody,
    answer: createdAgentKey,
    handle: (call) => createAgentKey(call, call.params.agentId as string, call.body.name),
  }),
  route({
    method: 'DELETE',
    path: '/api/agents/:agentId/keys/:keyId',
    access: 'board',
    handle: (call) =>
      deleteAgentKey(call, call.params.agentId as string, call.params.keyId as string),
  }),
  route({
    method: 'GET',
    path: '/api/agents/:agentId/config-revisions',
    access: 'board',
    query: listConfigRevisionsQuery,
    answer: z.array(configRevision),
    handle: (call) => listRevisions(call, call.params.agentId as string, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/agents/:agentId/config-revisions/:revisionId/rollback',
    access: 'board',
    status: 200,
    answer: agentDetail,
    handle: (call) =>
      rollbackAgent(effects, call, call.params.agentId as string, call.params.revisionId as string),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/adapters/:adapterType/models',
    access: 'agent-or-board',
    answer: z.array(adapterModel),
    handle: (call) => listModels(effects, call.params.adapterType as string),
  }),
];
