import { listedActivity } from '@switchyard/types';
import { route } from '../../route';
import { streamEvents } from './stream-events';

export const eventRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/events',
    operation: 'streamEvents',
    summary: 'Follow the activity of a company as server-sent events',
    access: 'agent-or-board',
    streams: 'text/event-stream',
    headers: {
      'Last-Event-ID': 'The last event that the caller received; the stream continues after it.',
    },
    event: listedActivity,
    handle: (call) => streamEvents(call),
  }),
];
