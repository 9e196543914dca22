import { activity } from '@switchyard/types';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { streamEvents } from './stream-events';

export const eventRoutes = (effects: Effects) => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/events',
    access: 'agent-or-board',
    streams: true,
    // The `data` of each event.
    answer: activity,
    handle: (call) => streamEvents(effects.events, call),
  }),
];
