import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { inTransaction, newId, type OpenDatabase } from '@switchyard/db';
import { parse } from '@switchyard/server';
import { emailAddress, newPassword } from '@switchyard/types';
import { z } from 'zod';
import { assertStrongPassword } from '../../access/sign-in/password-strength';
import { createPasswords } from '../../access/sign-in/passwords';
import { PASSWORD_COST } from '../../settings/sign-in-settings';
import {
  endSessions,
  GOOD_FOR_HOURS,
  listPeople,
  resetPassword,
  revokeTokensOf,
  setAdministrator,
} from './administration';
import { createFirstPerson, isNobodyThere } from './first-person';

type Input = Parameters<typeof text>[0];

export async function administer(db: OpenDatabase, words: string[], input: Input): Promise<string> {
  const [command, email, option, ...rest] = words;
  const isAbout = email !== undefined && rest.length === 0;
  if (command === 'list-people' && words.length === 1) return people(db);
  if (isAbout && command === 'reset-password' && (option === undefined || option === '--stdin')) {
    return reset(db, email, option ? input : null);
  }
  if (isAbout && option === '--stdin' && command === 'create-first-administrator') {
    return createFirst(db, email, input);
  }
  if (isAbout && option === undefined && command === 'end-sessions') {
    const ended = await endSessions(db, email === '--all' ? null : email);
    return `sessions ended: ${ended}\n`;
  }
  if (isAbout && option === undefined && command === 'revoke-tokens') {
    return `personal access tokens of ${email} revoked: ${await revokeTokensOf(db, email)}\n`;
  }
  if (isAbout && option === undefined && command === 'make-administrator') {
    return administrator(db, email, true);
  }
  if (isAbout && option === undefined && command === 'remove-administrator') {
    return administrator(db, email, false);
  }
  throw new Error(USAGE);
}

const USAGE = `usage:
  reset-password <e-mail address>            sets a generated password and prints it once
  reset-password <e-mail address> --stdin    sets the password in the first line of standard input
  end-sessions <e-mail address>              signs the person out in all browsers
  end-sessions --all                         signs all people out
  revoke-tokens <e-mail address>             revokes all personal access tokens of the person
  make-administrator <e-mail address>        makes the person an administrator, who may create companies
  remove-administrator <e-mail address>      removes this right
  create-first-administrator <e-mail address> --stdin
                                             creates the first account; does nothing if an account exists
  list-people                                lists all people with an account
  export activity|costs [--since 2030-01-31]  writes the rows of all companies as JSON Lines
  record-backup                              records that another tool has made a backup now
  rewrap-secrets                             wraps the companies' data keys with SECRETS_MASTER_KEY`;

async function people(db: OpenDatabase): Promise<string> {
  const all = await listPeople(db);
  const lines = all.map(({ email, name, isAdministrator, createdAt }) => {
    const since = createdAt.toISOString().slice(0, 10);
    return `${since}  ${email}  ${onOneLine(name)}${isAdministrator ? '  (administrator)' : ''}\n`;
  });
  return lines.join('') || 'no account exists\n';
}

const onOneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');

async function reset(db: OpenDatabase, email: string, input: Input | null): Promise<string> {
  const given = input && ((await text(input)).split(/\r?\n/, 1)[0] ?? '');
  const { password } = parse(z.object({ password: newPassword }), {
    password: given ?? makePassword(),
  });
  await assertStrongPassword('password', password, { email });
  const passwordHash = await createPasswords(PASSWORD_COST).hash(password);
  const {
    email: found,
    endedSessions,
    revokedTokens,
  } = await resetPassword(db, email, passwordHash);
  const shown = given === null ? `new password, shown this once: ${password}\n` : '';
  const tokens = revokedTokens > 0 ? `; personal access tokens revoked: ${revokedTokens}` : '';
  const once = `the person must change it at the next sign-in, within ${GOOD_FOR_HOURS} hours`;
  return `${found} has a new password; sessions ended: ${endedSessions}${tokens}\n${once}\n${shown}`;
}

async function createFirst(db: OpenDatabase, given: string, input: Input): Promise<string> {
  const first = (await text(input)).split(/\r?\n/, 1)[0] ?? '';
  const schema = z.object({ email: emailAddress, password: newPassword });
  const { email, password } = parse(schema, { email: given, password: first });
  await assertStrongPassword('password', password, { email });
  const passwordHash = await createPasswords(PASSWORD_COST).hash(password);
  const isCreated = await inTransaction(db, async (tx) => {
    if (!(await isNobodyThere(tx))) return false;
    const name = email.slice(0, email.indexOf('@'));
    await createFirstPerson(tx, { id: newId(), email, name, passwordHash });
    return true;
  });
  return isCreated
    ? `${email} is now an administrator\n`
    : 'an account exists; nothing was changed\n';
}

const makePassword = () =>
  randomBytes(12)
    .toString('hex')
    .replace(/.{6}(?!$)/g, '$&-');

async function administrator(db: OpenDatabase, email: string, is: boolean): Promise<string> {
  const changed = await setAdministrator(db, email, is);
  if (is) return `${email} is ${changed ? 'now' : 'already'} an administrator\n`;
  return `${email} ${changed ? 'is no longer' : 'was not'} an administrator\n`;
}
