import { listActivityQuery, listedActivity } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { listActivities } from './activities';

export const activityRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/activity',
    operation: 'listActivity',
    summary: 'List the activity of a company',
    access: 'agent-or-board',
    query: listActivityQuery,
    response: z.array(listedActivity),
    handle: (call) => listActivities(call, call.query),
  }),
];
