import {
  heartbeatRun,
  invokeHeartbeatBody,
  listRunsQuery,
  runLog,
  runLogQuery,
} from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { cancelRun } from './cancel-run';
import { invokeHeartbeat } from './invoke-heartbeat';
import { listRuns } from './list-runs';
import { retryRun } from './retry-run';
import { readRunLog } from './run-log';
import { getRun } from './runs';

export const heartbeatRoutes = (effects: Effects) => [
  route({
    method: 'POST',
    path: '/api/agents/:agentId/heartbeat/invoke',
    access: 'agent-or-board',
    status: 202,
    body: invokeHeartbeatBody,
    answer: heartbeatRun,
    handle: (call) => invokeHeartbeat(effects, call, call.params.agentId as string, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/heartbeat-runs',
    access: 'agent-or-board',
    query: listRunsQuery,
    answer: z.array(heartbeatRun),
    handle: (call) => listRuns(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/heartbeat-runs/:runId',
    access: 'agent-or-board',
    answer: heartbeatRun,
    handle: (call) => getRun(call.db.prisma, call.params.runId as string),
  }),
  route({
    method: 'GET',
    path: '/api/heartbeat-runs/:runId/log',
    access: 'agent-or-board',
    query: runLogQuery,
    answer: runLog,
    handle: (call) => readRunLog(call.db, call.params.runId as string, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/heartbeat-runs/:runId/cancel',
    access: 'board',
    status: 200,
    answer: heartbeatRun,
    handle: (call) => cancelRun(call, call.params.runId as string),
  }),
  route({
    method: 'POST',
    path: '/api/heartbeat-runs/:runId/retry',
    access: 'board',
    status: 202,
    answer: heartbeatRun,
    handle: (call) => retryRun(effects, call, call.params.runId as string),
  }),
];
