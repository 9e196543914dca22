import {
  createdPersonalToken,
  createPersonalTokenBody,
  deviceSignIn,
  listPersonalTokensQuery,
  personalToken,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../../route';
import { createToken } from './create-token';
import { beginDeviceSignIn } from './device-codes';
import { revokeToken, revokeTokens } from './revoke-tokens';
import { listTokens } from './tokens';

export const tokenRoutes = [
  route({
    method: 'GET',
    path: '/api/auth/tokens',
    operation: 'listTokens',
    summary: 'List your personal access tokens, without their values',
    access: 'board',
    browserOnly: true,
    query: listPersonalTokensQuery,
    response: z.array(personalToken),
    handle: (call) => listTokens(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/auth/tokens',
    operation: 'createToken',
    summary: 'Create a personal access token; only this response shows its value',
    errors: ['recent_sign_in_required', 'conflict'],
    access: 'board',
    browserOnly: true,
    body: createPersonalTokenBody,
    response: createdPersonalToken,
    handle: (call) => createToken(call, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/auth/device',
    operation: 'beginDeviceSignIn',
    summary: 'Begin to sign in a terminal; a person approves its code with POST /api/auth/tokens',
    errors: ['conflict', 'unavailable'],
    access: 'public',
    idempotent: false,
    response: deviceSignIn,
    handle: (call) => beginDeviceSignIn(call),
  }),
  route({
    method: 'DELETE',
    path: '/api/auth/tokens',
    operation: 'revokeTokens',
    summary: 'Revoke all your personal access tokens',
    errors: ['conflict'],
    access: 'board',
    browserOnly: true,
    handle: (call) => revokeTokens(call),
  }),
  route({
    method: 'DELETE',
    path: '/api/auth/tokens/:tokenId',
    operation: 'revokeToken',
    summary: 'Revoke one of your personal access tokens',
    errors: ['conflict'],
    access: 'board',
    browserOnly: true,
    handle: (call) => revokeToken(call, call.params.tokenId),
  }),
];
