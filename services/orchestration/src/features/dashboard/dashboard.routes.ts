import { dashboard, overview } from '@switchyard/types';
import { route } from '../../route';
import { getDashboard } from './get-dashboard';
import { getOverview } from './overview/get-overview';

export const dashboardRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/dashboard',
    operation: 'getDashboard',
    refusesDeleted: true,
    summary: "Read the numbers of a company's dashboard",
    access: 'agent-or-board',
    response: dashboard,
    handle: (call) => getDashboard(call),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/overview',
    operation: 'getOverview',
    summary: 'Read running, waiting and failed runs, and spend',
    access: 'agent-or-board',
    response: overview,
    handle: (call) => getOverview(call),
  }),
];
