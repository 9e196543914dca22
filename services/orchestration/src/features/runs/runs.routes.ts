import {
  cancelledRuns,
  cancelRunsBody,
  fetchedRun,
  fetchWakesQuery,
  finishRunBody,
  heartbeatRun,
  heartbeatRunDetail,
  invokeHeartbeatBody,
  listedRun,
  listRunsQuery,
  retriedRuns,
  retryRunsBody,
  runLog,
  runLogPart,
  runLogQuery,
  runLogSearch,
  searchRunLogQuery,
  streamRunLogQuery,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { cancelRuns } from './batches/cancel-runs';
import { retryRuns } from './batches/retry-runs';
import { cancelRun } from './cancel-run';
import { fetchWakes } from './claim/fetch-wakes';
import { finishRun } from './finish-run';
import { invokeHeartbeat } from './invoke-heartbeat';
import { listRuns } from './list-runs';
import { readRunLog } from './log/read-run-log';
import { searchRunLog } from './log/search-run-log';
import { streamRunLog } from './log/stream-run-log';
import { retryRun } from './retry-run';
import { getRun } from './runs';

export const heartbeatRoutes = [
  route({
    method: 'POST',
    path: '/api/agents/:agentId/heartbeat/invoke',
    operation: 'invokeHeartbeat',
    summary: 'Wake an agent; returns the run that will serve the wake',
    errors: ['not_own', 'not_invokable'],
    access: 'agent-or-board',
    status: 202,
    body: invokeHeartbeatBody,
    response: heartbeatRun,
    handle: (call) => invokeHeartbeat(call, call.params.agentId, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/agents/me/wakes',
    operation: 'fetchWakes',
    summary: 'Start the next run of an external agent; 204 if no run is waiting',
    errors: ['conflict'],
    access: 'agent',
    query: fetchWakesQuery,
    response: fetchedRun,
    otherResponses: { 204: null },
    handle: (call) => fetchWakes(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/heartbeat-runs',
    operation: 'listHeartbeatRuns',
    summary: "List the runs of a company's agents",
    access: 'agent-or-board',
    query: listRunsQuery,
    response: z.array(listedRun),
    handle: (call) => listRuns(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/heartbeat-runs/cancel',
    operation: 'cancelHeartbeatRuns',
    summary: 'Cancel many runs, by their ids or a filter',
    access: 'board',
    status: 200,
    // Repeating the call changes nothing, and each run has its own transaction.
    idempotent: false,
    body: cancelRunsBody,
    response: cancelledRuns,
    handle: (call) => cancelRuns(call, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/heartbeat-runs/retry',
    operation: 'retryHeartbeatRuns',
    summary: 'Retry many runs that have ended, by their ids or a filter',
    access: 'board',
    status: 200,
    idempotent: false,
    body: retryRunsBody,
    response: retriedRuns,
    handle: (call) => retryRuns(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/heartbeat-runs/:runId',
    operation: 'getHeartbeatRun',
    summary: 'Read a run with the wakes that it serves',
    access: 'agent-or-board',
    response: heartbeatRunDetail,
    handle: (call) => getRun(call, call.params.runId),
  }),
  route({
    method: 'GET',
    path: '/api/heartbeat-runs/:runId/log',
    operation: 'readHeartbeatRunLog',
    summary: "Read a part of a run's log",
    access: 'agent-or-board',
    query: runLogQuery,
    response: runLog,
    handle: (call) => readRunLog(call, call.params.runId, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/heartbeat-runs/:runId/log/events',
    operation: 'streamHeartbeatRunLog',
    summary: "Follow a run's log as server-sent events, until the run has ended",
    access: 'agent-or-board',
    streams: 'text/event-stream',
    headers: {
      'Last-Event-ID':
        'The last event that the caller received; the stream continues after it. 204 after the end of the log.',
    },
    query: streamRunLogQuery,
    event: runLogPart,
    otherResponses: { 204: null },
    handle: (call) => streamRunLog(call, call.params.runId, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/heartbeat-runs/:runId/log/search',
    operation: 'searchHeartbeatRunLog',
    summary: "Search a run's log",
    access: 'agent-or-board',
    query: searchRunLogQuery,
    response: runLogSearch,
    handle: (call) => searchRunLog(call, call.params.runId, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/heartbeat-runs/:runId/finish',
    operation: 'finishHeartbeatRun',
    summary: 'Finish a run of an external agent, or of an `http` agent that responded with 202',
    errors: ['not_own', 'conflict'],
    access: 'agent',
    status: 200,
    // Finished work counts even if the agent was paused.
    allowPaused: true,
    body: finishRunBody,
    response: heartbeatRun,
    handle: (call) => finishRun(call, call.params.runId, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/heartbeat-runs/:runId/cancel',
    operation: 'cancelHeartbeatRun',
    summary: 'Cancel a waiting run, or stop a running one',
    errors: ['conflict'],
    access: 'board',
    status: 200,
    response: heartbeatRun,
    handle: (call) => cancelRun(call, call.params.runId),
  }),
  route({
    method: 'POST',
    path: '/api/heartbeat-runs/:runId/retry',
    operation: 'retryHeartbeatRun',
    summary: 'Retry a run that has ended',
    errors: ['not_retryable', 'not_invokable'],
    access: 'board',
    status: 202,
    response: heartbeatRun,
    handle: (call) => retryRun(call, call.params.runId),
  }),
];
