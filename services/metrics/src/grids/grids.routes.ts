import type { Context } from '../context';
import { endpoint } from '../http/endpoint';
import { createGrid } from './create-grid';
import { gridCreated, gridRequest } from './grid-request';
import { gridsAnswer, gridsQuery, listGrids } from './list-grids';

export const gridEndpoints = (context: Context) => [
  endpoint({
    method: 'GET',
    path: '/grids/status',
    operation: 'listGrids',
    summary: 'Every grid with its last snapshot',
    query: gridsQuery,
    answers: { 200: gridsAnswer },
    handle: async ({ query }) => ({ status: 200, body: await listGrids(context, query) }),
  }),
  endpoint({
    method: 'POST',
    path: '/grids/create',
    operation: 'createGrid',
    summary: 'Store a grid; its orders are placed on the simulated exchange only',
    body: gridRequest,
    answers: { 201: gridCreated },
    refuses: [503],
    handle: async ({ body }) => ({ status: 201, body: await createGrid(context, body) }),
  }),
];
