import { searchQuery, searchResult } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { search } from './search';

export const searchRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/search',
    operation: 'search',
    summary: 'Search issues, comments, documents, agents and projects',
    access: 'agent-or-board',
    query: searchQuery,
    response: z.array(searchResult),
    handle: (call) => search(call, call.query),
  }),
];
