import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { UserError } from '@switchyard/bootstrap/user-error';

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** PostgreSQL refuses root. Existing data keeps its owner; else an account that every system has. */
export function chooseAccount(dataFolder?: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (dataFolder && existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder);
    if (uid !== 0) return { name: id('-un', String(uid)) ?? `uid ${uid}`, uid, gid };
  }
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account) return account;
  throw new UserError(
    'PostgreSQL does not run as root, and there is neither an account "postgres" nor "nobody".',
    'Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

function lookUp(name: string): Account | undefined {
  const [uid, gid] = [id('-u', name), id('-g', name)];
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : undefined;
}

function id(flag: string, who: string): string | undefined {
  try {
    return execFileSync('id', [flag, who], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

export const mayEnter = (account: Account | undefined, folder: string) =>
  tries(account, 'cd "$1" 2>/dev/null', folder);
export const mayRun = (account: Account | undefined, file: string) =>
  tries(account, '[ -r "$1" ] && [ -x "$1" ]', file);

/** Asked by trying it: modes, groups and ACLs of all parents are the system's to judge. */
function tries(account: Account | undefined, test: string, place: string): boolean {
  if (!account) return true;
  const { uid, gid } = account;
  const shell = spawnSync('/bin/sh', ['-c', test, 'sh', place], { uid, gid, cwd: '/' });
  return shell.status === 0;
}
