import type { Context } from '../context';
import { createGrid } from '../grids/create-grid';
import { gridCreated, gridRequest, gridStopped } from '../grids/grid-request';
import { stopGrid } from '../grids/stop-grid';
import { endpoint } from '../http/endpoint';
import { gridsQuery, gridsResponse, listGrids } from '../kinds/grid/list-grids';

export const gridEndpoints = (context: Context) => [
  endpoint({
    method: 'GET',
    path: '/grids/status',
    operation: 'listGrids',
    summary: 'Every grid with its last snapshot',
    query: gridsQuery,
    answers: { 200: gridsResponse },
    handle: async ({ query }) => ({ status: 200, body: await listGrids(context, query) }),
  }),
  endpoint({
    method: 'POST',
    path: '/grids/create',
    operation: 'createGrid',
    summary: 'Store a grid; its orders are placed on the simulated exchange only',
    body: gridRequest,
    answers: { 201: gridCreated },
    refuses: [409, 503],
    handle: async ({ body }) => ({ status: 201, body: await createGrid(context, body) }),
  }),
  endpoint({
    method: 'POST',
    path: '/grids/:grid_id/stop',
    operation: 'stopGrid',
    summary: 'Stop watching a grid; orders are cancelled on the simulated exchange only',
    parameters: { grid_id: 'The grid.' },
    answers: { 200: gridStopped },
    refuses: [404],
    handle: async ({ request }) => {
      const body = await stopGrid(context, String(request.params.grid_id));
      return { status: 200, body };
    },
  }),
];
