import {
  createRunLimitBody,
  listRunLimitsQuery,
  runLimit,
  updateRunLimitBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../../route';
import { createRunLimit } from './create-run-limit';
import { deleteRunLimit } from './delete-run-limit';
import { listRunLimits } from './run-limit';
import { updateRunLimit } from './update-run-limit';

const PATH = '/api/companies/:companyId/run-limits';

export const runLimitRoutes = [
  route({
    method: 'GET',
    path: PATH,
    operation: 'listRunLimits',
    summary: 'List the limits by key',
    access: 'agent-or-board',
    query: listRunLimitsQuery,
    response: z.array(runLimit),
    handle: (call) => listRunLimits(call, call.query),
  }),
  route({
    method: 'POST',
    path: PATH,
    operation: 'createRunLimit',
    summary: 'Limit how many runs with a key may run at the same time',
    errors: ['conflict'],
    access: 'board',
    body: createRunLimitBody,
    response: runLimit,
    handle: (call) => createRunLimit(call, call.body),
  }),
  route({
    method: 'PATCH',
    path: `${PATH}/:runLimitId`,
    operation: 'updateRunLimit',
    summary: 'Change, pause or resume a limit by key',
    access: 'board',
    body: updateRunLimitBody,
    response: runLimit,
    handle: (call) => updateRunLimit(call, call.params.runLimitId, call.body),
  }),
  route({
    method: 'DELETE',
    path: `${PATH}/:runLimitId`,
    operation: 'deleteRunLimit',
    summary: 'Delete a limit by key',
    access: 'board',
    handle: (call) => deleteRunLimit(call, call.params.runLimitId),
  }),
];
