import { label, listLabelsQuery, updateLabelBody } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../pipeline';
import { deleteLabel } from './delete-label';
import { listLabels } from './labels';
import { updateLabel } from './update-label';

/** Labels are created when an issue first uses them. */
export const labelRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/labels',
    operation: 'listLabels',
    summary: 'List the labels of a company, with how many issues have each',
    access: 'agent-or-board',
    query: listLabelsQuery,
    response: z.array(label),
    handle: (call) => listLabels(call, call.query),
  }),
  route({
    method: 'PATCH',
    path: '/api/labels/:labelId',
    operation: 'updateLabel',
    summary: 'Rename a label, or give it another color',
    errors: ['name_taken'],
    access: 'board',
    body: updateLabelBody,
    response: label,
    handle: (call) => updateLabel(call, call.params.labelId, call.body),
  }),
  route({
    method: 'DELETE',
    path: '/api/labels/:labelId',
    operation: 'deleteLabel',
    summary: 'Delete a label; issues that have it lose it',
    access: 'board',
    handle: (call) => deleteLabel(call, call.params.labelId),
  }),
];
