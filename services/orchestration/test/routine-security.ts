import { both, type RouteRow, webhook } from './security-rows';

export const ROUTINE_ROWS: Record<string, RouteRow> = {
  'GET /api/companies/:companyId/routines': both(),
  'GET /api/routines/:routineId': both(),
  'POST /api/companies/:companyId/routines': both({
    body: ({ agentId, projectId, goalId, issueId }) => ({
      title: 'Routine',
      assigneeAgentId: agentId,
      projectId,
      goalId,
      parentIssueId: issueId,
    }),
    change: { title: 'Other' },
  }),
  'PATCH /api/routines/:routineId': both({ ownOnly: true, body: () => ({ title: 'changed' }) }),
  'POST /api/routines/:routineId/triggers': both({
    ownOnly: true,
    body: () => ({ kind: 'schedule', cronExpression: '0 9 * * *' }),
    change: { timezone: 'Europe/Berlin' },
  }),
  'GET /api/companies/:companyId/schedule-preview': both({ status: 400 }),
  'GET /api/routines/:routineId/triggers/:triggerId/preview': both(),
  'PATCH /api/routine-triggers/:triggerId': both({
    ownOnly: true,
    ownCompany: true,
    body: () => ({ enabled: false }),
  }),
  'DELETE /api/routine-triggers/:triggerId': both({ ownOnly: true }),
  'POST /api/routine-triggers/:triggerId/rotate-secret': both({ ownOnly: true, prepare: webhook }),
  'POST /api/routines/:routineId/run': both({
    ownOnly: true,
    body: ({ triggerId }) => ({ source: 'manual', triggerId, payload: { n: 1 } }),
    change: { payload: { n: 2 } },
  }),
  'POST /api/routine-triggers/public/:publicId/fire': { access: 'webhook', status: 401 },
  'GET /api/routines/:routineId/runs': both(),
  'GET /api/routines/:routineId/runs/:routineRunId': both(),
};
