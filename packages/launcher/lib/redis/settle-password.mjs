import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { readJson, writeJson } from '../process/lock.mjs';

export const newPassword = () => randomBytes(24).toString('base64url');

/** Kept in DATA_DIR for its owner's eyes, so that a server that outlived its launcher can be used again. */
export function settlePassword(dataDir) {
  const file = path.join(dataDir, 'redis.json');
  const kept = readJson(file)?.password;
  if (kept) return kept;
  const password = newPassword();
  writeJson(file, { password });
  return password;
}
