import {
  createSavedViewBody,
  listSavedViewsQuery,
  savedView,
  updateSavedViewBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { createSavedView } from './create-saved-view';
import { deleteSavedView } from './delete-saved-view';
import { listSavedViews } from './list-saved-views';
import { updateSavedView } from './update-saved-view';

export const savedViewRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/views',
    operation: 'listSavedViews',
    summary: "List the caller's saved views and the shared views",
    access: 'board',
    query: listSavedViewsQuery,
    response: z.array(savedView),
    handle: (call) => listSavedViews(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/views',
    operation: 'createSavedView',
    summary: 'Save a view: a screen with its filters',
    errors: ['name_taken', 'conflict'],
    access: 'board',
    body: createSavedViewBody,
    response: savedView,
    handle: (call) => createSavedView(call, call.body),
  }),
  route({
    method: 'PATCH',
    path: '/api/views/:viewId',
    operation: 'updateSavedView',
    summary: 'Change a saved view: name, filters, sharing',
    errors: ['name_taken', 'not_own'],
    access: 'board',
    body: updateSavedViewBody,
    response: savedView,
    handle: (call) => updateSavedView(call, call.params.viewId, call.body),
  }),
  route({
    method: 'DELETE',
    path: '/api/views/:viewId',
    operation: 'deleteSavedView',
    summary: 'Delete a saved view',
    access: 'board',
    handle: (call) => deleteSavedView(call, call.params.viewId),
  }),
];
