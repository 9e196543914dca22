import { dashboard } from '@switchyard/types';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { getDashboard } from './get-dashboard';

export const dashboardRoutes = (effects: Effects) => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/dashboard',
    operation: 'getDashboard',
    summary: "Read the numbers of a company's dashboard",
    access: 'agent-or-board',
    answer: dashboard,
    handle: (call) => getDashboard(effects, call),
  }),
];
