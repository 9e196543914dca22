import { createdRunner, createRunnerBody, listRunnersQuery, runner } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../../route';
import { createRunner } from './create-runner';
import { listRunners } from './list-runners';
import { revokeRunner } from './revoke-runner';

export const runnerRoutes = [
  route({
    method: 'POST',
    path: '/api/companies/:companyId/runners',
    operation: 'createRunner',
    summary: 'Create a runner of a company; only this response shows its token',
    errors: ['name_taken', 'recent_sign_in_required'],
    access: 'owner',
    // Rejects personal tokens, because the runner's token reads secrets and would survive the
    // revocation of the personal token.
    browserOnly: true,
    body: createRunnerBody,
    response: createdRunner,
    handle: (call) => createRunner(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/companies/:companyId/runners',
    operation: 'listRunners',
    summary: 'List the runners of a company and their runs',
    access: 'board',
    query: listRunnersQuery,
    response: z.array(runner),
    handle: (call) => listRunners(call, call.query),
  }),
  route({
    method: 'DELETE',
    path: '/api/companies/:companyId/runners/:runnerId',
    operation: 'revokeRunner',
    summary: "Revoke a runner's token immediately; its runs end as lost",
    access: 'owner',
    handle: (call) => revokeRunner(call, call.params.runnerId),
  }),
];
