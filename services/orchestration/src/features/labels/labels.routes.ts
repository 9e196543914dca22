import { label, listLabelsQuery, updateLabelBody } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { deleteLabel } from './delete-label';
import { listLabels } from './labels';
import { updateLabel } from './update-label';

export const labelRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/labels',
    operation: 'listLabels',
    summary: 'List the labels of a company with their issue counts',
    access: 'agent-or-board',
    query: listLabelsQuery,
    response: z.array(label),
    handle: (call) => listLabels(call, call.query),
  }),
  route({
    method: 'PATCH',
    path: '/api/labels/:labelId',
    operation: 'updateLabel',
    summary: 'Rename or recolor a label',
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
    summary: 'Delete a label, and remove it from issues',
    access: 'board',
    handle: (call) => deleteLabel(call, call.params.labelId),
  }),
];
