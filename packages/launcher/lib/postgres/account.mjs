import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { problem } from '../problem.mjs';

function lookUp(name) {
  try {
    const ask = (flag) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }));
    return { name, uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}

function nameOf(uid) {
  try {
    return execFileSync('id', ['-un', String(uid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return `uid ${uid}`;
  }
}

/** PostgreSQL refuses root. Existing data keeps its owner; else an account that every system has. */
export function chooseAccount(dataFolder) {
  if (process.getuid?.() !== 0) return undefined;
  if (dataFolder && existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder);
    if (uid !== 0) return { name: nameOf(uid), uid, gid };
  }
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account) return account;
  throw problem(
    'PostgreSQL does not run as root, and there is neither an account "postgres" nor "nobody".',
    'Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** Asked by trying it: modes, groups and ACLs of all parents are the system's to judge. */
function tries(account, test, place) {
  if (!account) return true;
  const { uid, gid } = account;
  const shell = spawnSync('/bin/sh', ['-c', test, 'sh', place], { uid, gid, cwd: '/' });
  return shell.status === 0;
}

export const mayEnter = (account, folder) => tries(account, 'cd "$1" 2>/dev/null', folder);
export const mayRun = (account, file) => tries(account, '[ -r "$1" ] && [ -x "$1" ]', file);
