import type { Context } from '../context';
import { dashboardResponse, dashboardState } from '../dashboard/dashboard-state';
import { readPage } from '../dashboard/read-page';
import { endpoint } from '../http/endpoint';

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; " +
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const dashboardEndpoints = (context: Context) => {
  const page = readPage();
  return [
    endpoint({
      method: 'GET',
      path: '/dashboard',
      operation: 'getDashboardPage',
      summary: 'The dashboard: one page that brings everything along',
      answers: { 200: 'text/html' },
      handle: async () => ({
        status: 200,
        body: page,
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': POLICY,
        },
      }),
    }),
    endpoint({
      method: 'GET',
      path: '/dashboard/state',
      operation: 'getDashboardState',
      summary: 'What the dashboard shows first',
      answers: { 200: dashboardResponse },
      handle: async () => ({ status: 200, body: await dashboardState(context) }),
    }),
  ];
};
