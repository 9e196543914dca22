import {
  createdTrigger,
  createRoutineBody,
  createTriggerBody,
  firingPreview,
  listRoutineRunsQuery,
  listRoutinesQuery,
  previewQuery,
  rotatedTrigger,
  routine,
  routineRun,
  routineSummary,
  routineTrigger,
  runRoutineBody,
  updateRoutineBody,
  updateTriggerBody,
  urlChallenge,
} from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { createRoutine } from './create-routine';
import { createTrigger } from './create-trigger';
import { deleteTrigger } from './delete-trigger';
import { fireWebhook } from './fire-webhook';
import { previewTrigger } from './preview-trigger';
import { rotateSecret } from './rotate-secret';
import { getRoutineRun, listRoutineRuns } from './routine-runs';
import { getRoutine, listRoutines } from './routines';
import { runRoutine } from './run-routine';
import { updateRoutine } from './update-routine';
import { updateTrigger } from './update-trigger';

const SIGNED = {
  'X-Service-Signature': 'HMAC-SHA256 of timestamp, "." and body, with the secret of the trigger.',
  'X-Service-Timestamp': 'Unix seconds or milliseconds; part of what is signed.',
  Authorization: 'Bearer and the secret, for a trigger in bearer mode.',
  'Idempotency-Key': 'As on every POST.',
};

export const routineRoutes = (effects: Effects) => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/routines',
    operation: 'listRoutines',
    summary: 'List the routines of a company',
    access: 'agent-or-board',
    query: listRoutinesQuery,
    answer: z.array(routineSummary),
    handle: (call) => listRoutines(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId',
    operation: 'getRoutine',
    summary: 'Read a routine with its triggers',
    access: 'agent-or-board',
    answer: routine,
    handle: (call) => getRoutine(call.db.prisma, call.params.routineId as string),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/routines',
    operation: 'createRoutine',
    summary: 'Create a routine',
    refuses: ['not_own', 'semantic_error'],
    access: 'agent-or-board',
    body: createRoutineBody,
    answer: routine,
    handle: (call) => createRoutine(call, call.body),
  }),
  route({
    method: 'PATCH',
    path: '/api/routines/:routineId',
    operation: 'updateRoutine',
    summary: 'Change, pause or archive a routine',
    refuses: ['not_own', 'board_only', 'routine_archived', 'semantic_error'],
    access: 'agent-or-board',
    body: updateRoutineBody,
    answer: routine,
    handle: (call) => updateRoutine(call, call.params.routineId as string, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/routines/:routineId/triggers',
    operation: 'createTrigger',
    summary: "Add a trigger to a routine; this answer alone shows a webhook's secret",
    refuses: ['not_own', 'routine_archived', 'conflict'],
    access: 'agent-or-board',
    body: createTriggerBody,
    answer: createdTrigger,
    handle: (call) => createTrigger(effects, call, call.params.routineId as string, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId/triggers/:triggerId/preview',
    operation: 'previewTrigger',
    summary: 'List when a schedule will fire next',
    refuses: ['semantic_error'],
    access: 'agent-or-board',
    query: previewQuery,
    answer: firingPreview,
    handle: (call) =>
      previewTrigger(call.db.prisma, call.params.triggerId as string, call.query.count),
  }),
  route({
    method: 'PATCH',
    path: '/api/routine-triggers/:triggerId',
    operation: 'updateTrigger',
    summary: 'Change a trigger',
    refuses: ['not_own', 'routine_archived'],
    access: 'agent-or-board',
    body: updateTriggerBody,
    answer: routineTrigger,
    handle: (call) => updateTrigger(effects, call, call.params.triggerId as string, call.body),
  }),
  route({
    method: 'DELETE',
    path: '/api/routine-triggers/:triggerId',
    operation: 'deleteTrigger',
    summary: 'Delete a trigger',
    refuses: ['routine_archived', 'not_own'],
    access: 'agent-or-board',
    handle: (call) => deleteTrigger(call, call.params.triggerId as string),
  }),
  route({
    method: 'POST',
    path: '/api/routine-triggers/:triggerId/rotate-secret',
    operation: 'rotateTriggerSecret',
    summary: 'Give a webhook a new secret; the old one ends at once',
    refuses: ['not_own', 'routine_archived', 'semantic_error'],
    access: 'agent-or-board',
    status: 200,
    answer: rotatedTrigger,
    handle: (call) => rotateSecret(effects, call, call.params.triggerId as string),
  }),
  route({
    method: 'POST',
    path: '/api/routines/:routineId/run',
    operation: 'runRoutine',
    summary: 'Run a routine now',
    refuses: [
      'not_own',
      'forbidden',
      'trigger_disabled',
      'routine_archived',
      'company_paused',
      'company_archived',
      'idempotency_conflict',
    ],
    access: 'agent-or-board',
    status: 202,
    body: runRoutineBody,
    answer: routineRun,
    handle: (call) => runRoutine(effects, call, call.params.routineId as string, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/routine-triggers/public/:publicId/fire',
    operation: 'fireTrigger',
    summary: 'Fire a webhook; signed as its trigger says',
    refuses: [
      'unauthenticated',
      'invalid_signature',
      'replayed',
      'trigger_disabled',
      'routine_paused',
      'routine_archived',
      'company_paused',
      'company_archived',
      'idempotency_conflict',
      'too_large',
    ],
    access: 'public',
    status: 202,
    rawBody:
      'A JSON object is the payload of the firing as it is. Anything else is wrapped: `{ contentType, encoding, body }`, `encoding` being json, text or base64. An empty body is no payload.',
    // The handler honours Idempotency-Key itself, once the sender is known.
    unkeyed: true,
    // What forgers send must not use up what the true sender, maybe behind the same address, may send.
    countsItself: true,
    answer: routineRun,
    others: { 200: urlChallenge },
    headers: SIGNED,
    handle: (call) => fireWebhook(effects, call, call.params.publicId as string, call.request),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId/runs',
    operation: 'listRoutineRuns',
    summary: 'List the firings of a routine',
    access: 'agent-or-board',
    query: listRoutineRunsQuery,
    answer: z.array(routineRun),
    handle: (call) => listRoutineRuns(call, call.params.routineId as string, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId/runs/:routineRunId',
    operation: 'getRoutineRun',
    summary: 'Read a firing of a routine',
    access: 'agent-or-board',
    answer: routineRun,
    handle: (call) => getRoutineRun(call.db.prisma, call.params.routineRunId as string),
  }),
];
