import { inboxCounts, inboxItem, listInboxQuery, snoozeItemBody } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { countInbox } from './count-inbox';
import { dismissItem, snoozeItem } from './hide-item';
import { listInbox } from './list-inbox';
import { restoreItem } from './restore-item';

export const inboxRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/inbox',
    operation: 'listInbox',
    summary: 'List the items that need a person, with their actions, blocking items first',
    access: 'board',
    query: listInboxQuery,
    response: z.array(inboxItem),
    handle: (call) => listInbox(call, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/inbox/counts',
    operation: 'countInbox',
    summary: 'Count the items that need a person, by severity and kind',
    access: 'board',
    response: inboxCounts,
    handle: (call) => countInbox(call),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/inbox/:itemId/snooze',
    operation: 'snoozeInboxItem',
    summary: "Hide an item from the caller's own inbox until a time, or until it occurs again",
    access: 'board',
    status: 200,
    body: snoozeItemBody,
    response: inboxItem,
    handle: (call) => snoozeItem(call, call.params.itemId, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/inbox/:itemId/dismiss',
    operation: 'dismissInboxItem',
    summary: "Hide an item from the caller's own inbox until it occurs again",
    access: 'board',
    status: 200,
    response: inboxItem,
    handle: (call) => dismissItem(call, call.params.itemId),
  }),
  route({
    method: 'DELETE',
    path: '/api/companies/:companyId/inbox/:itemId/snooze',
    operation: 'unsnoozeInboxItem',
    summary: 'Undo the snooze of an item',
    access: 'board',
    handle: (call) => restoreItem(call, call.params.itemId),
  }),
  route({
    method: 'DELETE',
    path: '/api/companies/:companyId/inbox/:itemId/dismiss',
    operation: 'restoreInboxItem',
    summary: 'Undo the dismissal of an item',
    access: 'board',
    handle: (call) => restoreItem(call, call.params.itemId),
  }),
];
