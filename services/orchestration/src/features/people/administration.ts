import {
  ask,
  type Database,
  inTransaction,
  type OpenDatabase,
  type PersonModel,
  statement,
} from '@switchyard/db';
import { ApiError, conflict, parse } from '@switchyard/server';
import { emailAddress } from '@switchyard/types';
import { deleteSessions } from '../../access/sign-in/session-rows';
import { SYSTEM } from '../../kernel/actor';
import { databaseTime } from '../../state/database-time';
import { recordPerson } from './record-person';
import { deleteTokens } from './tokens/token-rows';

/** In hours; long enough to reach the person after a weekend. */
export const GOOD_FOR_HOURS = 72;

const HOUR_MS = 3_600_000;

/**
 * Ends all sessions and tokens of the account and resets its failed sign-ins. The person must
 * replace the password at the next sign-in.
 */
export async function resetPassword(
  db: OpenDatabase,
  email: string,
  passwordHash: string,
): Promise<{ email: string; endedSessions: number; revokedTokens: number }> {
  const { id, email: found } = await getByEmail(db, email);
  return inTransaction(db, async (tx) => {
    const now = await databaseTime(tx);
    const passwordExpiresAt = new Date(now + GOOD_FOR_HOURS * HOUR_MS);
    await tx.prisma.person.update({
      where: { id },
      data: { passwordHash, passwordChangedAt: new Date(now), passwordExpiresAt },
      select: { id: true },
    });
    const endedSessions = await deleteSessions(tx, id);
    const revokedTokens = (await deleteTokens(tx, id)).length;
    const details = { endedSessions, revokedTokens };
    await recordPerson(tx, id, SYSTEM, 'person.password_reset', details);
    return { email: found, ...details };
  });
}

export async function endSessions(db: OpenDatabase, email: string | null): Promise<number> {
  const people = email === null ? await listPeople(db) : [await getByEmail(db, email)];
  let ended = 0;
  for (const { id } of people) {
    ended += await inTransaction(db, async (tx) => {
      const endedSessions = await deleteSessions(tx, id);
      if (endedSessions > 0) {
        await recordPerson(tx, id, SYSTEM, 'person.sessions_ended', { endedSessions });
      }
      return endedSessions;
    });
  }
  return ended;
}

export async function revokeTokensOf(db: OpenDatabase, email: string): Promise<number> {
  const { id } = await getByEmail(db, email);
  return inTransaction(db, async (tx) => {
    const count = (await deleteTokens(tx, id)).length;
    if (count > 0) {
      await recordPerson(tx, id, SYSTEM, 'person.tokens_revoked', { revokedTokens: count });
    }
    return count;
  });
}

export async function setAdministrator(
  db: OpenDatabase,
  email: string,
  isAdministrator: boolean,
): Promise<boolean> {
  const { id } = await getByEmail(db, email);
  return inTransaction(db, async (tx) => {
    // Serialises changes, so that two concurrent removals cannot remove the last administrator.
    await ask(tx, lockAdministrators, {});
    const where = { id, isAdministrator: !isAdministrator };
    const { count } = await tx.prisma.person.updateMany({ where, data: { isAdministrator } });
    if (count === 0) return false;
    if ((await tx.prisma.person.count({ where: { isAdministrator: true } })) === 0) {
      throw conflict(
        'conflict',
        'this person is the last administrator; make another person an administrator first',
      );
    }
    const action = isAdministrator ? 'person.administrator_added' : 'person.administrator_removed';
    await recordPerson(tx, id, SYSTEM, action);
    return true;
  });
}

export async function listPeople(db: Database): Promise<PersonModel[]> {
  return db.prisma.person.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}

async function getByEmail(db: Database, text: string): Promise<PersonModel> {
  const email = parse(emailAddress, text);
  const person = await db.prisma.person.findUnique({ where: { email } });
  if (!person) throw new ApiError('not_found', `no account has the e-mail address ${email}`);
  return person;
}

const lockAdministrators = statement('lock-administrators', {
  takes: {},
  gives: {},
  sql: () => `SELECT FROM pg_advisory_xact_lock(hashtextextended('administrators', 0))`,
});
