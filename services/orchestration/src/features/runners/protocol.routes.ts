import {
  appendedRunLog,
  appendRunLogQuery,
  endRunBody,
  holdSessionBody,
  RUN_TICKET_HEADER,
  releaseRunBody,
  reportCheckBody,
  reportedUsage,
  reportUsageBody,
  runnerHelloBody,
  runnerLeases,
  runnerLeasesBody,
  runnerNextBody,
  runnerWelcome,
  runnerWork,
} from '@switchyard/types';
import { route } from '../../pipeline';
import { appendRunLog } from './append-run-log';
import { endRun } from './end-run';
import { holdSession } from './hold-session';
import { nextWork } from './next-work';
import { releaseRun } from './release-run';
import { renewRunLeases } from './renew-run-leases';
import { reportCheck } from './report-check';
import { reportUsage } from './report-usage';
import { sayHello } from './say-hello';

const headers = { [RUN_TICKET_HEADER]: 'The ticket that came with the run.' };
const OF_RUNNERS = { access: 'runner', idempotent: false, allowArchived: true } as const;

/** What runners call: on the API, and on the worker's own listener. */
export const protocolRoutes = [
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/hello',
    operation: 'sayHello',
    summary: 'Say what a runner is, at its start and every minute',
    errors: ['runner_replaced', 'conflict'],
    status: 200,
    body: runnerHelloBody,
    response: runnerWelcome,
    handle: (call) => sayHello(call, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/next',
    operation: 'nextWork',
    summary: 'Take runs and checks, and wait for them',
    errors: ['unknown_instance', 'runner_replaced'],
    status: 200,
    body: runnerNextBody,
    response: runnerWork,
    handle: (call) => nextWork(call, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/leases',
    operation: 'renewRunLeases',
    summary: 'Renew the leases of all runs, and learn which to end',
    status: 200,
    body: runnerLeasesBody,
    response: runnerLeases,
    handle: (call) => renewRunLeases(call, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/runs/:runId/log',
    operation: 'appendRunLog',
    summary: 'Append to the log of a run',
    errors: ['stale_ticket', 'conflict', 'too_large'],
    status: 200,
    headers,
    query: appendRunLogQuery,
    rawBody: 'Output of the run as application/octet-stream, at most 1 MiB.',
    response: appendedRunLog,
    handle: (call) => appendRunLog(call, call.params.runId, call.query),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/runs/:runId/usage',
    operation: 'reportUsage',
    summary: 'Report what a run used',
    errors: ['stale_ticket', 'conflict'],
    status: 200,
    headers,
    body: reportUsageBody,
    response: reportedUsage,
    handle: (call) => reportUsage(call, call.params.runId, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'PUT',
    path: '/api/runner/runs/:runId/session',
    operation: 'holdSession',
    summary: 'Keep the conversation of a run for the next one',
    errors: ['stale_ticket'],
    status: 204,
    headers,
    body: holdSessionBody,
    handle: (call) => holdSession(call, call.params.runId, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/runs/:runId/end',
    operation: 'endRun',
    summary: 'Say how a run ended',
    errors: ['stale_ticket'],
    status: 204,
    headers,
    body: endRunBody,
    handle: (call) => endRun(call, call.params.runId, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/runs/:runId/release',
    operation: 'releaseRun',
    summary: 'Let go of a run, so that another runner takes it',
    errors: ['stale_ticket'],
    status: 204,
    headers,
    body: releaseRunBody,
    handle: (call) => releaseRun(call, call.params.runId, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/checks/:checkId',
    operation: 'reportCheck',
    summary: 'Say what a check of an agent found',
    status: 204,
    body: reportCheckBody,
    handle: (call) => reportCheck(call, call.params.checkId, call.body),
  }),
];
