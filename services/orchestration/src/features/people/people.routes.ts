import {
  acceptInviteBody,
  bootstrapBody,
  joined,
  loginBody,
  session,
  signedIn,
} from '@switchyard/types';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { acceptInvite } from './accept-invite';
import { bootstrap } from './bootstrap';
import { getSession } from './get-session';
import { logIn, logOut } from './log-in';

/** Their answers are cookies and their tokens good for once, so no `Idempotency-Key` is looked at. */
export const personRoutes = ({ signIn }: Pick<Effects, 'signIn'>) => [
  route({
    method: 'POST',
    path: '/api/auth/bootstrap',
    operation: 'bootstrap',
    summary: 'Make the first account, with the token that the first start logged',
    refuses: ['unauthenticated', 'conflict'],
    access: 'public',
    unkeyed: true,
    body: bootstrapBody,
    answer: signedIn,
    handle: (call) => bootstrap(signIn, call),
  }),
  route({
    method: 'POST',
    path: '/api/auth/login',
    operation: 'logIn',
    summary: 'Sign in',
    refuses: ['unauthenticated', 'conflict'],
    access: 'public',
    unkeyed: true,
    status: 200,
    body: loginBody,
    answer: signedIn,
    handle: (call) => logIn(signIn, call),
  }),
  route({
    method: 'POST',
    path: '/api/auth/logout',
    operation: 'logOut',
    summary: 'Sign out',
    refuses: ['conflict'],
    access: 'public',
    unkeyed: true,
    status: 204,
    handle: (call) => logOut(signIn, call),
  }),
  route({
    method: 'GET',
    path: '/api/auth/session',
    operation: 'getSession',
    summary: 'Read who is signed in, and of which companies',
    access: 'board',
    answer: session,
    handle: (call) => getSession(call),
  }),
  route({
    method: 'POST',
    path: '/api/auth/invites/:token/accept',
    operation: 'acceptInvite',
    summary: 'Accept an invite, with an account that exists or a new one',
    refuses: ['unauthenticated', 'forbidden', 'conflict', 'company_archived'],
    access: 'public',
    unkeyed: true,
    body: acceptInviteBody,
    answer: joined,
    handle: (call) => acceptInvite(signIn, call),
  }),
];
