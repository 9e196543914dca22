import {
  createSpendCapBody,
  listSpendCapsQuery,
  spendCap,
  updateSpendCapBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../../route';
import { createSpendCap } from './create-spend-cap';
import { deleteSpendCap } from './delete-spend-cap';
import { listSpendCaps } from './spend-cap';
import { updateSpendCap } from './update-spend-cap';

const PATH = '/api/companies/:companyId/spend-caps';

export const spendCapRoutes = [
  route({
    method: 'GET',
    path: PATH,
    operation: 'listSpendCaps',
    summary: 'List the spending caps',
    access: 'agent-or-board',
    query: listSpendCapsQuery,
    response: z.array(spendCap),
    handle: (call) => listSpendCaps(call, call.query),
  }),
  route({
    method: 'POST',
    path: PATH,
    operation: 'createSpendCap',
    summary: 'Limit the spend of a run, issue, routine, project, agent or company',
    errors: ['conflict', 'unknown_reference'],
    access: 'board',
    body: createSpendCapBody,
    response: spendCap,
    handle: (call) => createSpendCap(call, call.body),
  }),
  route({
    method: 'PATCH',
    path: `${PATH}/:spendCapId`,
    operation: 'updateSpendCap',
    summary: 'Change the amount of a spending cap',
    access: 'board',
    body: updateSpendCapBody,
    response: spendCap,
    handle: (call) => updateSpendCap(call, call.params.spendCapId, call.body),
  }),
  route({
    method: 'DELETE',
    path: `${PATH}/:spendCapId`,
    operation: 'deleteSpendCap',
    summary: 'Delete a spending cap',
    access: 'board',
    handle: (call) => deleteSpendCap(call, call.params.spendCapId),
  }),
];
