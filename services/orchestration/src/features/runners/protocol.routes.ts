import {
  appendedRunLog,
  appendRunLogQuery,
  endRunBody,
  holdSessionBody,
  RUN_TICKET_HEADER,
  redeemedTicket,
  redeemTicketBody,
  releaseRunBody,
  reportCheckBody,
  reportedUsage,
  reportUsageBody,
  runBudget,
  runnerFolders,
  runnerFoldersBody,
  runnerHelloBody,
  runnerLeases,
  runnerLeasesBody,
  runnerNextBody,
  runnerWelcome,
  runnerWork,
} from '@switchyard/types';
import { route } from '../../route';
import { findFolders } from './find-folders';
import { appendRunLog } from './held-runs/append-run-log';
import { endRun } from './held-runs/end-run';
import { holdSession } from './held-runs/hold-session';
import { readRunBudget } from './held-runs/read-run-budget';
import { releaseRun } from './held-runs/release-run';
import { renewRunLeases } from './held-runs/renew-run-leases';
import { reportUsage } from './held-runs/report-usage';
import { nextWork } from './next-work';
import { redeemTicket } from './redeem-ticket';
import { reportCheck } from './report-check';
import { sayHello } from './say-hello';

const headers = { [RUN_TICKET_HEADER]: 'The ticket that was received with the run.' };
const OF_RUNNERS = { access: 'runner', idempotent: false, allowArchived: true } as const;

/**
 * Runners of companies call these routes through the API; all runners can call them on the worker's
 * own port.
 */
export const protocolRoutes = [
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/hello',
    operation: 'sayHello',
    summary: 'Register a runner process at its start and every minute',
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
    summary: 'Wait for runs and checks, and claim them',
    errors: ['unknown_instance', 'runner_replaced'],
    status: 200,
    body: runnerNextBody,
    response: runnerWork,
    handle: (call) => nextWork(call, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/redeem',
    operation: 'redeemTicket',
    summary: 'Exchange the ticket of a run pod and receive its run',
    errors: ['stale_ticket'],
    status: 200,
    body: redeemTicketBody,
    response: redeemedTicket,
    handle: (call) => redeemTicket(call, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/leases',
    operation: 'renewRunLeases',
    summary: 'Renew the leases of all runs; the response lists the runs to end',
    status: 200,
    body: runnerLeasesBody,
    response: runnerLeases,
    handle: (call) => renewRunLeases(call, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'POST',
    path: '/api/runner/folders',
    operation: 'findFolders',
    summary: 'List removable run folders and agent home folders',
    status: 200,
    body: runnerFoldersBody,
    response: runnerFolders,
    handle: (call) => findFolders(call, call.body),
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
    summary: 'Report the usage of a run',
    errors: ['stale_ticket', 'conflict'],
    status: 200,
    headers,
    body: reportUsageBody,
    response: reportedUsage,
    handle: (call) => reportUsage(call, call.params.runId, call.body),
  }),
  route({
    ...OF_RUNNERS,
    method: 'GET',
    path: '/api/runner/runs/:runId/budget',
    operation: 'readRunBudget',
    summary: 'Read which budgets of a run are spent',
    errors: ['stale_ticket'],
    headers,
    response: runBudget,
    handle: (call) => readRunBudget(call, call.params.runId),
  }),
  route({
    ...OF_RUNNERS,
    method: 'PUT',
    path: '/api/runner/runs/:runId/session',
    operation: 'holdSession',
    summary: 'Store the conversation of a run for the next run',
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
    summary: 'Report the end of a run',
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
    summary: 'Release a run, so that another runner can claim it',
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
    summary: "Report the findings of an agent's check",
    status: 204,
    body: reportCheckBody,
    handle: (call) => reportCheck(call, call.params.checkId, call.body),
  }),
];
