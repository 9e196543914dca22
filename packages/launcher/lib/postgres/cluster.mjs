import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explain } from '../problem.mjs';
import { run } from '../process/run.mjs';

export const SUPERUSER = 'switchyard';

function give(file, account) {
  if (account) chownSync(file, account.uid, account.gid);
}

/** Made beside and renamed at the end: a data folder that exists is a complete one. */
export async function makeCluster({ binaries, account, folder, password, durable, signal }) {
  const data = path.join(folder, 'postgres');
  if (existsSync(path.join(data, 'PG_VERSION'))) return false;
  const draft = `${data}.new`;
  const secret = `${data}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(secret, password, { mode: 0o600 });
  give(draft, account);
  give(secret, account);
  const args = ['-D', draft, '-U', SUPERUSER, '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256'];
  args.push(`--pwfile=${secret}`, '--no-instructions');
  if (!durable) args.push('--no-sync');
  try {
    const { code, output } = await run(path.join(binaries.bin, 'initdb'), args, {
      cwd: '/',
      env: cleanEnv(),
      signal,
      ...account,
    });
    if (code !== 0) {
      throw explain('Creating the database files', output, `Look at ${folder}, then start again.`);
    }
    renameSync(draft, data);
    return true;
  } finally {
    rmSync(secret, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** PG* of the user's shell would reach the server's programs. */
export function cleanEnv() {
  const { PATH, TZ } = process.env;
  return { PATH, LANG: 'C', LC_ALL: 'C', ...(TZ && { TZ }) };
}
