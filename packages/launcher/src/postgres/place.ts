import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { UserError } from '@switchyard/bootstrap/user-error';
import { type Account, mayEnter } from './account.js';
import { ROLES } from './client.js';

export interface Place {
  file: string;
  folder: string;
  password?: string;
  roles?: Record<string, string>;
}

export function readPlace(dataDir: string): Place {
  const file = path.join(dataDir, 'postgres.json');
  const kept = readJson(file);
  if (!kept && existsSync(path.join(dataDir, 'postgres'))) {
    throw new UserError(
      `${file} is missing or damaged; it contains the password of the database in that folder.`,
      'Restore it from a backup, or move the folder "postgres" away to start with an empty database.',
    );
  }
  return { file, folder: kept?.place ?? dataDir, password: kept?.password, roles: kept?.roles };
}

export function settlePlace(dataDir: string, account: Account | undefined, kept: Place) {
  const folder = settleFolder(dataDir, account, kept);
  const password = kept.password ?? newPassword();
  const missing = Object.keys(ROLES).filter((role) => !kept.roles?.[role]);
  const roles = { ...kept.roles };
  for (const role of missing) roles[role] = newPassword();
  if (!kept.password || missing.length > 0) {
    writeJson(kept.file, { ...(folder !== dataDir && { place: folder }), password, roles });
  }
  return { folder, password, roles };
}

const newPassword = () => randomBytes(24).toString('base64url');

function settleFolder(
  dataDir: string,
  account: Account | undefined,
  { folder, password }: Place,
): string {
  if (password) {
    if (folder !== dataDir) refuseCopy(dataDir, folder);
    return folder;
  }
  if (!account || mayEnter(account, dataDir)) return dataDir;
  const outside = outsideOf(dataDir, account);
  writeJson(path.join(outside, 'owner.json'), { dataDir });
  return outside;
}

/**
 * Rejects a copied DATA_DIR, which refers to the original's database, because two installations
 * must not share a database.
 */
function refuseCopy(dataDir: string, place: string): void {
  const owner = readJson(path.join(place, 'owner.json'))?.dataDir;
  if (!owner || owner === dataDir) return;
  if (readJson(path.join(owner, 'postgres.json'))?.place !== place) return;
  throw new UserError(
    `${dataDir} is a copy of ${owner}, so both would use the database in ${place}.`,
    `Delete ${path.join(dataDir, 'postgres.json')} to start with an empty database here.`,
  );
}

const OUTSIDE = ['/var/lib/switchyard', '/var/tmp/switchyard'];

function outsideOf(dataDir: string, account: Account): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  for (const parent of OUTSIDE) {
    try {
      const folder = path.join(parent, name);
      for (const each of [parent, folder]) {
        mkdirSync(each, { recursive: true });
        chmodSync(each, 0o711);
      }
      if (mayEnter(account, folder)) return folder;
    } catch {}
  }
  throw new UserError(
    `PostgreSQL runs as the account "${account.name}", which cannot access ${dataDir} or ${OUTSIDE[0]}.`,
    'Set DATA_DIR to a folder that the account can access (mode 0711 on all parents), or start as an ordinary user.',
  );
}

export function dataMajor(folder: string): number | undefined {
  const file = path.join(folder, 'postgres', 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}
