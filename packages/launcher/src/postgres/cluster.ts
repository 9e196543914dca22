import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { explain } from '@switchyard/bootstrap/user-error';
import { run } from '../process/run.js';
import type { Account } from './account.js';
import type { Binaries } from './binaries.js';
import { SUPERUSER } from './client.js';

export interface Cluster {
  binaries: Binaries;
  account?: Account;
  folder: string;
  password: string;
  durable: boolean;
  signal: AbortSignal;
}

/**
 * Creates a cluster in a draft folder, then renames it, so that the data folder is complete
 * whenever it exists. Returns true if it created one.
 */
export async function makeCluster(cluster: Cluster): Promise<boolean> {
  const { binaries, account, folder, password, durable, signal } = cluster;
  const data = path.join(folder, 'postgres');
  if (existsSync(path.join(data, 'PG_VERSION'))) return false;
  const draft = `${data}.new`;
  const secret = `${data}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(secret, password, { mode: 0o600 });
  if (account) for (const each of [draft, secret]) chownSync(each, account.uid, account.gid);
  const args = ['-D', draft, '-U', SUPERUSER, '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256'];
  args.push(`--pwfile=${secret}`, '--no-instructions');
  if (!durable) args.push('--no-sync');
  const owner = { uid: account?.uid, gid: account?.gid };
  try {
    const options = { cwd: '/', env: cleanEnv(), extendEnv: false, signal, ...owner };
    const { code, output } = await run(path.join(binaries.bin, 'initdb'), args, options);
    if (code !== 0) {
      throw explain('Creating the database files', output, `Check ${folder}, then start again.`);
    }
    renameSync(draft, data);
    return true;
  } finally {
    rmSync(secret, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

export function cleanEnv(): NodeJS.ProcessEnv {
  const { PATH, TZ } = process.env;
  return { PATH, LANG: 'C', LC_ALL: 'C', ...(TZ && { TZ }) };
}

/**
 * Removes a stale pid file, because PostgreSQL does not start if another program now has that pid.
 */
export function removeStalePidFile(data: string): void {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const { pid } = parsePidFile(readFileSync(file, 'utf8'));
  if (commandName(pid) !== 'postgres') rmSync(file, { force: true });
}

export function parsePidFile(text: string): { pid: number; port: number } {
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

function commandName(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    const text = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
    return text.trim().split('/').at(-1);
  } catch {
    return undefined;
  }
}
