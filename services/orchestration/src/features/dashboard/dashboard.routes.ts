import { dashboard } from '@switchyard/types';
import { route } from '../../pipeline';
import { getDashboard } from './get-dashboard';

export const dashboardRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/dashboard',
    operation: 'getDashboard',
    summary: "Read the numbers of a company's dashboard",
    access: 'agent-or-board',
    response: dashboard,
    handle: (call) => getDashboard(call),
  }),
];
