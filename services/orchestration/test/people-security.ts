import { board, both, open, owner, PERSON, type RouteRow } from './security-rows';

export const PEOPLE_ROWS: Record<string, RouteRow> = {
  'POST /api/auth/bootstrap': open({
    body: () => ({ token: 'x'.repeat(43), ...PERSON, password: 'a long password' }),
    status: 409,
  }),
  'POST /api/auth/login': open({
    body: () => ({ email: PERSON.email, password: 'a long password' }),
    status: 409,
  }),
  'POST /api/auth/logout': open({ status: 409 }),
  'POST /api/auth/provider': open({ body: () => ({}), status: 409 }),
  'POST /api/auth/device': open({ status: 409 }),
  'GET /api/auth/session': both(),
  'POST /api/auth/password': board({
    browserOnly: true,
    body: () => ({ currentPassword: 'a long password', newPassword: 'another long password' }),
    status: 409,
  }),
  'POST /api/auth/confirm': board({
    browserOnly: true,
    body: () => ({ password: 'a long password' }),
    status: 409,
  }),
  'GET /api/auth/sessions': board({ browserOnly: true, empty: true }),
  'DELETE /api/auth/sessions': board({ browserOnly: true, status: 409 }),
  'DELETE /api/auth/sessions/:sessionId': board({ browserOnly: true, status: 409 }),
  'GET /api/auth/tokens': board({ browserOnly: true, empty: true }),
  'POST /api/auth/tokens': board({
    browserOnly: true,
    body: () => ({ name: 'token', scope: 'read' }),
    change: { name: 'other' },
    status: 409,
  }),
  'DELETE /api/auth/tokens': board({ browserOnly: true, status: 409 }),
  'DELETE /api/auth/tokens/:tokenId': board({ browserOnly: true, status: 409 }),
  'POST /api/auth/invites/:token/accept': open({ body: () => ({}), status: 409 }),
  'GET /api/companies/:companyId/members': board(),
  'PATCH /api/companies/:companyId/members/:memberId': owner({
    browserOnly: true,
    body: () => ({ role: 'viewer' }),
    status: 409,
  }),
  'DELETE /api/companies/:companyId/members/:memberId': owner({ browserOnly: true, status: 409 }),
  'GET /api/companies/:companyId/invites': owner({ ownersRead: true }),
  'DELETE /api/companies/:companyId/invites/:inviteId': owner({ browserOnly: true, status: 409 }),
  'POST /api/companies/:companyId/invites': owner({
    browserOnly: true,
    body: () => ({ role: 'viewer' }),
    status: 409,
  }),
};
