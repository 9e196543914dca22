import { newId } from '@switchyard/db';
import { addressOf } from '@switchyard/server';
import type { Request } from 'express';
import {
  deleteSession,
  insertSession,
  type NewSession,
} from '../../../access/sign-in/session-rows';
import type { SignIn } from '../../../access/sign-in/sign-in';
import { personActor } from '../../../kernel/actor';
import { inTransaction, type Tx } from '../../../kernel/call';
import { recordPerson } from '../record-person';
import { wrongCredentials } from './check-password';
import type { SignInCall } from './sign-in-call';

export type SigningIn = Pick<NewSession, 'id' | 'passwordHash'> &
  Partial<Pick<NewSession, 'providerSession' | 'authenticatedAt'>>;

/**
 * Begins a session in the transaction of `work`, which may create the person. Ends the browser's
 * previous session.
 * @throws ApiError 401 if the password has changed
 */
export async function beginSession<T>(
  { sessions }: SignIn,
  call: SignInCall,
  person: SigningIn,
  work: (tx: Tx<string | null>) => Promise<T>,
): Promise<T> {
  const { request } = call;
  const { id: userId, passwordHash, providerSession = null, authenticatedAt = null } = person;
  const session = {
    id: newId(),
    userId,
    passwordHash,
    providerSession,
    authenticatedAt,
    userAgent: browserOf(request),
    address: addressOf(request),
  };
  return sessions.renew(request, ({ from, to }) =>
    inTransaction(call, async (tx) => {
      const result = await work(tx);
      if (!(await insertSession(tx, { ...session, hash: to }, sessions.limits))) {
        throw wrongCredentials();
      }
      await deleteSession(tx, from);
      const details = { sessionId: session.id, userAgent: session.userAgent };
      await recordPerson(tx, userId, personActor(userId), 'person.signed_in', details);
      return result;
    }),
  );
}

const MAX_USER_AGENT = 300;

const browserOf = (request: Request) => request.get('user-agent')?.slice(0, MAX_USER_AGENT) || null;
