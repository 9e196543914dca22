import {
  createSecretBody,
  listedSecret,
  listSecretsQuery,
  secret,
  secretDetail,
  updateSecretBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { createSecret } from './create-secret';
import { deleteSecret } from './delete-secret';
import { getSecret } from './get-secret';
import { listSecrets } from './secrets';
import { updateSecret } from './update-secret';

export const secretRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/secrets',
    operation: 'listSecrets',
    summary: 'List the secrets of a company, without their values',
    access: 'board',
    query: listSecretsQuery,
    response: z.array(listedSecret),
    handle: (call) => listSecrets(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/secrets',
    operation: 'createSecret',
    summary: 'Store a secret',
    errors: ['name_taken'],
    access: 'board',
    body: createSecretBody,
    response: secret,
    handle: (call) => createSecret(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/secrets/:secretId',
    operation: 'getSecret',
    summary: 'Read a secret and its users, without its values',
    access: 'board',
    response: secretDetail,
    handle: (call) => getSecret(call, call.params.secretId),
  }),
  route({
    method: 'DELETE',
    path: '/api/secrets/:secretId',
    operation: 'deleteSecret',
    summary: 'Delete an unused secret with all its versions',
    errors: ['conflict'],
    access: 'board',
    handle: (call) => deleteSecret(call, call.params.secretId),
  }),
  route({
    method: 'PATCH',
    path: '/api/secrets/:secretId',
    operation: 'updateSecret',
    summary: 'Change a secret; a new value creates a new version',
    errors: ['name_taken'],
    access: 'board',
    body: updateSecretBody,
    response: secret,
    handle: (call) => updateSecret(call, call.params.secretId, call.body),
  }),
];
