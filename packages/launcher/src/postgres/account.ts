import { statSync } from 'node:fs';
import { UserError } from '@switchyard/bootstrap/user-error';
import { execaSync } from 'execa';

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Chooses PostgreSQL's account if root starts it, because PostgreSQL refuses to run as root. Takes
 * the owner of existing data; for new data, an account that every system has.
 */
export function chooseAccount(dataFolder = ''): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(dataFolder, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
  if (uid !== 0) return { name: id('-un', String(uid)) ?? `uid ${uid}`, uid, gid };
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account) return account;
  throw new UserError(
    'PostgreSQL refuses to run as root, and no other account is available for it.',
    'Create an account "postgres", start as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

function lookUp(name: string): Account | undefined {
  const [uid, gid] = [id('-u', name), id('-g', name)];
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : undefined;
}

function id(flag: string, who: string): string | undefined {
  const { failed, stdout } = execaSync('id', [flag, who], { reject: false });
  return failed ? undefined : stdout;
}

export const mayEnter = (account: Account | undefined, folder: string) =>
  tries(account, 'cd "$1" 2>/dev/null', folder);
export const mayRun = (account: Account | undefined, file: string) =>
  tries(account, '[ -r "$1" ] && [ -x "$1" ]', file);

function tries(account: Account | undefined, test: string, place: string): boolean {
  if (!account) return true;
  const { uid, gid } = account;
  const options = { uid, gid, cwd: '/', reject: false } as const;
  return !execaSync('/bin/sh', ['-c', test, 'sh', place], options).failed;
}
