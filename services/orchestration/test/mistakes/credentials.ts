import { newId } from '@switchyard/db';
import { get, type Mistake, post } from './mistake';

export const CREDENTIALS: Mistake[] = [
  {
    name: 'the key in X-API-Key on a route for agents',
    ask: ({ key }) => get('/api/agents/me', { 'x-api-key': key }),
    status: 400,
    code: 'validation_error',
    says: /^x-api-key: .*Authorization: Bearer/,
  },
  {
    name: 'the key in X-API-Key on a route for agents and the board',
    ask: ({ issueId, key }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, undefined, { 'x-api-key': key }),
    status: 400,
    code: 'validation_error',
    says: /^x-api-key: .*Authorization: Bearer/,
  },
  {
    name: 'the key in the header api-key',
    ask: ({ key }) => get('/api/companies', { 'api-key': key }),
    status: 400,
    code: 'validation_error',
    says: /^api-key: .*Authorization: Bearer/,
  },
  {
    name: 'the token in X-Auth-Token',
    ask: ({ token }) => get('/api/companies', { 'x-auth-token': token }),
    status: 400,
    code: 'validation_error',
    says: /^x-auth-token: .*Authorization: Bearer/,
  },
  {
    name: 'the key in an unknown header',
    ask: ({ key }) => get('/api/companies', { 'x-acme-robot': key }),
    status: 400,
    code: 'validation_error',
    says: /^x-acme-robot: .*Authorization: Bearer/,
  },
  {
    name: 'the token as a query parameter',
    ask: ({ token }) => get(`/api/companies?access_token=${token}`),
    status: 400,
    code: 'validation_error',
    says: /^access_token: .*Authorization: Bearer/,
  },
  {
    name: 'a user name and password',
    ask: () => get('/api/companies', { authorization: 'Basic dXNlcjpwYXNz' }),
    status: 401,
    code: 'unauthenticated',
    says: /must be "Bearer <credential>"/,
  },
  {
    name: 'the key without Bearer',
    ask: ({ key }) => get('/api/agents/me', { authorization: key }),
    status: 401,
    code: 'unauthenticated',
    says: /must be "Bearer <credential>"/,
  },
  {
    name: 'Bearer with an empty variable',
    ask: () => get('/api/agents/me', { authorization: 'Bearer ' }),
    status: 401,
    code: 'unauthenticated',
    says: /must be "Bearer <credential>"/,
  },
  {
    name: 'Bearer with the name of a variable',
    ask: () => get('/api/agents/me', { authorization: 'Bearer $SERVICE_API_KEY' }),
    status: 401,
    code: 'unauthenticated',
    says: /must be an API key \(swy_…\).* or a run token/,
  },
  {
    name: 'no credential on a route for agents',
    ask: () => get('/api/agents/me'),
    status: 403,
    code: 'forbidden',
    says: /no credential was sent: send "Authorization: Bearer/,
  },
  {
    name: 'a revoked key',
    ask: ({ revokedKey }) => get('/api/agents/me', { authorization: revokedKey }),
    status: 401,
    code: 'unauthenticated',
    says: /revoked.* ask the board for a new key/,
  },
  {
    name: 'the token of a run that has ended',
    ask: ({ endedToken }) => get('/api/agents/me', { authorization: endedToken }),
    status: 401,
    code: 'token_expired',
    says: /has ended: stop now/,
  },
  {
    name: 'a run id without the run token',
    ask: ({ issueId }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, undefined, {
        'x-service-run-id': newId(),
      }),
    status: 403,
    code: 'forbidden',
    says: /no credential was sent: .*Authorization: Bearer <SERVICE_API_KEY>/,
  },
  {
    name: 'a word instead of a run id',
    ask: ({ issueId, agent }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, agent, {
        'x-service-run-id': 'run-1',
      }),
    status: 400,
    code: 'validation_error',
    says: /^X-Service-Run-Id: must be a run id/,
  },
];
