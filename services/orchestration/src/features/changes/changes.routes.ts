import { companyChange, streamChangesQuery } from '@switchyard/types';
import { route } from '../../route';
import { streamChanges } from './stream-changes';

export const changeRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/changes',
    operation: 'streamChanges',
    summary: 'Follow the changed rows of a company as server-sent events',
    access: 'board',
    streams: 'text/event-stream',
    headers: {
      'Last-Event-ID': 'The last event that the caller received; the stream continues after it.',
    },
    query: streamChangesQuery,
    event: companyChange,
    handle: (call) => streamChanges(call, call.query),
  }),
];
