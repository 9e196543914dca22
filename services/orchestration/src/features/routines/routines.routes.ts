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

export const routineRoutes = (effects: Effects) => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/routines',
    access: 'agent-or-board',
    query: listRoutinesQuery,
    answer: z.array(routineSummary),
    handle: (call) => listRoutines(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId',
    access: 'agent-or-board',
    answer: routine,
    handle: (call) => getRoutine(call.db.prisma, call.params.routineId as string),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/routines',
    access: 'agent-or-board',
    body: createRoutineBody,
    answer: routine,
    handle: (call) => createRoutine(call, call.body),
  }),
  route({
    method: 'PATCH',
    path: '/api/routines/:routineId',
    access: 'agent-or-board',
    body: updateRoutineBody,
    answer: routine,
    handle: (call) => updateRoutine(call, call.params.routineId as string, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/routines/:routineId/triggers',
    access: 'agent-or-board',
    body: createTriggerBody,
    answer: createdTrigger,
    handle: (call) => createTrigger(effects, call, call.params.routineId as string, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId/triggers/:triggerId/preview',
    access: 'agent-or-board',
    query: previewQuery,
    answer: firingPreview,
    handle: (call) =>
      previewTrigger(call.db.prisma, call.params.triggerId as string, call.query.count),
  }),
  route({
    method: 'PATCH',
    path: '/api/routine-triggers/:triggerId',
    access: 'agent-or-board',
    body: updateTriggerBody,
    answer: routineTrigger,
    handle: (call) => updateTrigger(call, call.params.triggerId as string, call.body),
  }),
  route({
    method: 'DELETE',
    path: '/api/routine-triggers/:triggerId',
    access: 'agent-or-board',
    handle: (call) => deleteTrigger(call, call.params.triggerId as string),
  }),
  route({
    method: 'POST',
    path: '/api/routine-triggers/:triggerId/rotate-secret',
    access: 'agent-or-board',
    status: 200,
    answer: rotatedTrigger,
    handle: (call) => rotateSecret(effects, call, call.params.triggerId as string),
  }),
  route({
    method: 'POST',
    path: '/api/routines/:routineId/run',
    access: 'agent-or-board',
    status: 202,
    body: runRoutineBody,
    answer: routineRun,
    handle: (call) => runRoutine(effects, call, call.params.routineId as string, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/routine-triggers/public/:publicId/fire',
    access: 'public',
    status: 202,
    rawBody: true,
    // The handler honours Idempotency-Key itself, once the sender is known.
    unkeyed: true,
    answer: routineRun,
    handle: (call) => fireWebhook(effects, call, call.params.publicId as string, call.request),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId/runs',
    access: 'agent-or-board',
    query: listRoutineRunsQuery,
    answer: z.array(routineRun),
    handle: (call) => listRoutineRuns(call, call.params.routineId as string, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/routines/:routineId/runs/:routineRunId',
    access: 'agent-or-board',
    answer: routineRun,
    handle: (call) => getRoutineRun(call.db.prisma, call.params.routineRunId as string),
  }),
];
