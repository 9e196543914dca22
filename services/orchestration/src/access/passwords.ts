import { createHash, randomBytes } from 'node:crypto';
import bcrypt from 'bcrypt';

/**
 * bcrypt reads 72 bytes and stops at a NUL, so it is given the base64 of a SHA-256, which is shorter and
 * has none: every character of a long password counts. NFKC first, because one keyboard composes
 * letters that another sends apart.
 */
function prepare(password: string): string {
  return createHash('sha256').update(password.normalize('NFKC')).digest('base64');
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash as with one, so that time does not tell which accounts exist. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** bcrypt on the thread pool; `cost` is its logarithmic work factor. */
export function createPasswords(cost: number): Passwords {
  let decoy: Promise<string> | undefined;
  const decoyHash = () => {
    decoy ??= bcrypt.hash(randomBytes(32).toString('base64'), cost);
    return decoy;
  };
  return {
    hash: (password) => bcrypt.hash(prepare(password), cost),
    verify: async (password, hash) => {
      const instead = await decoyHash();
      const matches = await bcrypt.compare(prepare(password), hash ?? instead);
      return matches && hash !== null;
    },
  };
}
