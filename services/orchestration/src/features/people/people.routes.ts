import {
  acceptInviteBody,
  bootstrapBody,
  browserSession,
  changePasswordBody,
  joined,
  listSessionsQuery,
  loginBody,
  session,
  signedIn,
} from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { acceptInvite } from './accept-invite';
import { bootstrap } from './bootstrap';
import { changePassword } from './change-password';
import { getSession } from './get-session';
import { logIn, logOut } from './log-in';
import { endOtherSessions, endSession, listSessions } from './own-sessions';

/** Their answers are cookies and their tokens good for once, so no `Idempotency-Key` is looked at. */
export const personRoutes = ({ signIn }: Pick<Effects, 'signIn'>) => [
  route({
    method: 'POST',
    path: '/api/auth/bootstrap',
    operation: 'bootstrap',
    summary: 'Make the first account, with the bootstrap token',
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
    path: '/api/auth/password',
    operation: 'changePassword',
    summary: 'Change your own password; ends your other sessions',
    refuses: ['wrong_password', 'conflict'],
    access: 'board',
    unkeyed: true,
    status: 204,
    body: changePasswordBody,
    handle: (call) => changePassword(signIn, call),
  }),
  route({
    method: 'GET',
    path: '/api/auth/sessions',
    operation: 'listSessions',
    summary: 'List where you are signed in',
    access: 'board',
    query: listSessionsQuery,
    answer: z.array(browserSession),
    handle: (call) => listSessions(signIn, call),
  }),
  route({
    method: 'DELETE',
    path: '/api/auth/sessions',
    operation: 'endOtherSessions',
    summary: 'End your sessions in all other browsers',
    refuses: ['conflict'],
    access: 'board',
    handle: (call) => endOtherSessions(signIn, call),
  }),
  route({
    method: 'DELETE',
    path: '/api/auth/sessions/:sessionId',
    operation: 'endSession',
    summary: 'End one of your sessions',
    refuses: ['conflict'],
    access: 'board',
    handle: (call) => endSession(signIn, call, call.params.sessionId as string),
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
