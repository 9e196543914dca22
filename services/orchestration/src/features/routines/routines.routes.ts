import {
  createdTrigger,
  createRoutineBody,
  createTriggerBody,
  firingPreview,
  listedRoutine,
  listRoutineRunsQuery,
  listRoutinesQuery,
  previewQuery,
  rotatedTrigger,
  routine,
  routineRun,
  routineRunDetail,
  routineTrigger,
  runRoutineBody,
  schedulePreview,
  schedulePreviewQuery,
  updateRoutineBody,
  updateTriggerBody,
  webhookGreeting,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { createRoutine } from './create-routine';
import { createTrigger } from './create-trigger';
import { deleteTrigger } from './delete-trigger';
import { runRoutine } from './firing/run-routine';
import { listRoutines } from './list-routines';
import { getRoutineRun, listRoutineRuns } from './routine-runs';
import { getRoutine } from './routines';
import { previewSchedule } from './schedule/preview-schedule';
import { previewTrigger } from './schedule/preview-trigger';
import { updateRoutine } from './update-routine';
import { updateTrigger } from './update-trigger';
import { fireWebhook } from './webhook/fire-webhook';
import { rotateSecret } from './webhook/rotate-secret';

const SIGNED = {
  'X-Service-Signature':
    'HMAC-SHA256 of the timestamp, "." and the raw body, with the secret of the trigger as key, in hex, optionally with the prefix `sha256=`.',
  'X-Service-Timestamp':
    'Unix seconds or milliseconds; part of the signed text. It may differ from the current time by `replayWindowSec`.',
  Authorization: '`Bearer` and the secret, for a trigger in bearer mode.',
  'X-GitHub-Event': 'The name of the event, for a trigger in github mode; `ping` starts nothing.',
  'X-GitHub-Delivery':
    'The id of the delivery; repeating an accepted id within 3 days returns 409 `replayed`.',
  'X-Service-Callback-Url':
    'Called once when the firing has ended; only for triggers that no agent created and whose secret no agent can read.',
  'X-Service-Callback-Secret':
    'The key that signs the callback, like `callbackSecret` of a manual run.',
};

export const routineRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/routines',
    operation: 'listRoutines',
    summary: 'List the routines of a company',
    access: 'agent-or-board',
    query: listRoutinesQuery,
    response: z.array(listedRoutine),
    handle: (call) => listRoutines(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId',
    operation: 'getRoutine',
    summary: 'Read a routine with its triggers',
    access: 'agent-or-board',
    response: routine,
    handle: (call) => getRoutine(call, call.params.routineId),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/routines',
    operation: 'createRoutine',
    summary: 'Create a routine',
    errors: ['not_own', 'semantic_error', 'storage_full'],
    access: 'agent-or-board',
    body: createRoutineBody,
    response: routine,
    handle: (call) => createRoutine(call, call.body),
  }),
  route({
    method: 'PATCH',
    path: '/api/routines/:routineId',
    operation: 'updateRoutine',
    summary: 'Change, pause or archive a routine',
    errors: ['not_own', 'board_only', 'routine_archived', 'semantic_error', 'storage_full'],
    access: 'agent-or-board',
    body: updateRoutineBody,
    response: routine,
    handle: (call) => updateRoutine(call, call.params.routineId, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/routines/:routineId/triggers',
    operation: 'createTrigger',
    summary: "Add a trigger to a routine; only this response shows a webhook's secret",
    errors: ['not_own', 'routine_archived', 'conflict'],
    access: 'agent-or-board',
    body: createTriggerBody,
    response: createdTrigger,
    handle: (call) => createTrigger(call, call.params.routineId, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId/triggers/:triggerId/preview',
    operation: 'previewTrigger',
    summary: 'List the next firing times of a schedule',
    errors: ['semantic_error'],
    access: 'agent-or-board',
    query: previewQuery,
    response: firingPreview,
    handle: (call) => previewTrigger(call, call.params.triggerId, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/schedule-preview',
    operation: 'previewSchedule',
    summary: 'Preview a schedule without storing it: its description and next firing times',
    access: 'agent-or-board',
    query: schedulePreviewQuery,
    response: schedulePreview,
    handle: (call) => previewSchedule(call, call.query),
  }),
  route({
    method: 'PATCH',
    path: '/api/routine-triggers/:triggerId',
    operation: 'updateTrigger',
    summary: 'Change a trigger',
    errors: ['not_own', 'routine_archived'],
    access: 'agent-or-board',
    body: updateTriggerBody,
    response: routineTrigger,
    handle: (call) => updateTrigger(call, call.params.triggerId, call.body),
  }),
  route({
    method: 'DELETE',
    path: '/api/routine-triggers/:triggerId',
    operation: 'deleteTrigger',
    summary: 'Delete a trigger',
    errors: ['routine_archived', 'not_own'],
    access: 'agent-or-board',
    handle: (call) => deleteTrigger(call, call.params.triggerId),
  }),
  route({
    method: 'POST',
    path: '/api/routine-triggers/:triggerId/rotate-secret',
    operation: 'rotateTriggerSecret',
    summary: "Rotate a webhook's secret; the previous one is invalid immediately",
    errors: ['not_own', 'routine_archived', 'semantic_error'],
    access: 'agent-or-board',
    status: 200,
    response: rotatedTrigger,
    handle: (call) => rotateSecret(call, call.params.triggerId),
  }),
  route({
    method: 'POST',
    path: '/api/routines/:routineId/run',
    operation: 'runRoutine',
    summary: 'Run a routine now',
    errors: [
      'not_own',
      'forbidden',
      'trigger_disabled',
      'routine_archived',
      'company_paused',
      'company_archived',
      'idempotency_conflict',
      'storage_full',
    ],
    access: 'agent-or-board',
    status: 202,
    body: runRoutineBody,
    response: routineRun,
    handle: (call) => runRoutine(call, call.params.routineId, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/routine-triggers/public/:publicId/fire',
    operation: 'fireTrigger',
    summary: 'Fire a webhook, signed as its trigger requires',
    errors: [
      'unauthenticated',
      'invalid_signature',
      'replayed',
      'trigger_disabled',
      'routine_paused',
      'routine_archived',
      'company_paused',
      'company_archived',
      'storage_full',
    ],
    access: 'webhook',
    status: 202,
    rawBody:
      'A JSON object becomes the payload of the firing unchanged. Other content is wrapped as `{ contentType, encoding, body }`, where `encoding` is json, text or base64. An empty body means no payload.',
    response: routineRun,
    otherResponses: { 200: webhookGreeting },
    headers: SIGNED,
    handle: (call) => fireWebhook(call, call.request.body),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId/runs',
    operation: 'listRoutineRuns',
    summary: 'List the firings of a routine',
    access: 'agent-or-board',
    query: listRoutineRunsQuery,
    response: z.array(routineRun),
    handle: (call) => listRoutineRuns(call, call.params.routineId, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId/runs/:routineRunId',
    operation: 'getRoutineRun',
    summary: 'Read a firing of a routine',
    access: 'agent-or-board',
    response: routineRunDetail,
    handle: (call) => getRoutineRun(call, call.params.routineRunId),
  }),
];
