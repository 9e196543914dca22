import { createSecretBody, listSecretsQuery, secret, updateSecretBody } from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { createSecret } from './create-secret';
import { listSecrets } from './secrets';
import { updateSecret } from './update-secret';

/** The board's alone (contract, "Behaviour" 4): agents get values through their environment only. */
export const secretRoutes = (effects: Effects) => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/secrets',
    operation: 'listSecrets',
    summary: 'List the secrets of a company, without their values',
    access: 'board',
    query: listSecretsQuery,
    answer: z.array(secret),
    handle: (call) => listSecrets(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/secrets',
    operation: 'createSecret',
    summary: 'Store a secret',
    refuses: ['name_taken'],
    access: 'board',
    body: createSecretBody,
    answer: secret,
    handle: (call) => createSecret(effects, call, call.body),
  }),
  route({
    method: 'PATCH',
    path: '/api/secrets/:secretId',
    operation: 'updateSecret',
    summary: 'Change a secret; a value makes a new version',
    refuses: ['name_taken'],
    access: 'board',
    body: updateSecretBody,
    answer: secret,
    handle: (call) => updateSecret(effects, call, call.params.secretId as string, call.body),
  }),
];
