import { notFound } from '@switchyard/server';
import type { BrowserSessionView } from '@switchyard/types';
import { deleteSessions } from '../../../access/sign-in/session-rows';
import { signInOf } from '../../../access/sign-in/sign-in';
import { personActor } from '../../../kernel/actor';
import { inTransaction } from '../../../kernel/call';
import { newestCursor, newestFirst, page } from '../../../lists/page';
import { databaseTime } from '../../../state/database-time';
import { presentSession } from '../present-person';
import { recordPerson } from '../record-person';
import { ownSession } from './own-session';
import type { SignInCall } from './sign-in-call';

export async function listSessions(
  call: SignInCall,
  query: { limit: number; cursor?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  if (!signInOf(call.context)) {
    return page(
      [] as BrowserSessionView[],
      query.limit,
      (none) => none,
      () => [],
    );
  }
  const { session } = await ownSession(call);
  const rows = await call.db.prisma.session.findMany({
    where: {
      userId: session.userId,
      expiresAt: { gt: new Date(await databaseTime(call.db)) },
      AND: after,
    },
    orderBy,
    take,
  });
  return page(rows, query.limit, (row) => presentSession(row, session.id), newestCursor);
}

export async function endSession(call: SignInCall, id: string): Promise<void> {
  const { signIn, session } = await ownSession(call);
  const { userId } = session;
  await inTransaction(call, async (tx) => {
    if ((await deleteSessions(tx, userId, { id })) === 0) throw notFound('session');
    const details = { sessionId: id };
    await recordPerson(tx, userId, personActor(userId), 'person.session_ended', details);
  });
  if (id === session.id) signIn.sessions.forget(call.request);
}

export async function endOtherSessions(call: SignInCall): Promise<void> {
  const { session } = await ownSession(call);
  const { userId, hash } = session;
  await inTransaction(call, async (tx) => {
    const endedSessions = await deleteSessions(tx, userId, { except: hash });
    if (endedSessions === 0) return;
    const details = { endedSessions };
    await recordPerson(tx, userId, personActor(userId), 'person.sessions_ended', details);
  });
}
