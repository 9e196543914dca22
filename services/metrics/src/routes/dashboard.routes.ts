import { findAccount } from '../accounts/find-account';
import { dashboardPage } from '../dashboard/dashboard-page';
import { dashboardQuery, dashboardResponse, dashboardState } from '../dashboard/dashboard-state';
import { route } from './route';

export const dashboardRoutes = [
  route({
    method: 'GET',
    path: '/dashboard',
    operation: 'getDashboardPage',
    summary: 'The dashboard as one self-contained page',
    access: 'token',
    streams: 'text/html',
    handle: ({ response }) => {
      const { html, policy } = dashboardPage();
      response.set('Content-Security-Policy', policy).type('html').send(html);
    },
  }),
  route({
    method: 'GET',
    path: '/dashboard/state',
    operation: 'getDashboardState',
    summary: 'Initial data of the dashboard',
    access: 'token',
    query: dashboardQuery,
    response: dashboardResponse,
    handle: ({ context, query }) => dashboardState(findAccount(context, query.account, 'query')),
  }),
];
