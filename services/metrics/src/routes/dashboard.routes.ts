import { findAccount } from '../accounts/find-account';
import { dashboardPage } from '../dashboard/dashboard-page';
import { dashboardQuery, dashboardResponse, dashboardState } from '../dashboard/dashboard-state';
import { route } from './route';

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; " +
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const dashboardRoutes = [
  route({
    method: 'GET',
    path: '/dashboard',
    operation: 'getDashboardPage',
    summary: 'The dashboard: one page that brings everything along',
    access: 'token',
    streams: 'text/html',
    handle: ({ response }) => {
      response.set('Content-Security-Policy', POLICY).type('html').send(dashboardPage());
    },
  }),
  route({
    method: 'GET',
    path: '/dashboard/state',
    operation: 'getDashboardState',
    summary: 'What the dashboard shows first',
    access: 'token',
    query: dashboardQuery,
    response: dashboardResponse,
    handle: ({ context, query }) => dashboardState(findAccount(context, query.account, 'query')),
  }),
];
