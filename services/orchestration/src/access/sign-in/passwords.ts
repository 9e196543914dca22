import { createHash, randomBytes } from 'node:crypto';
import bcrypt from 'bcrypt';
import { createTurns, type TurnsOptions } from './turns';

/**
 * bcrypt reads at most 72 bytes and stops at NUL, so it receives the base64 of a SHA-256. NFKC
 * comes first, because keyboards compose letters differently.
 */
function prepare(password: string): string {
  return createHash('sha256').update(password.normalize('NFKC')).digest('base64');
}

interface Asker {
  key: string;
  isKnown: boolean;
}

const SOMEBODY: Asker = { key: 'somebody', isKnown: false };

export interface Passwords {
  hash(password: string, asker?: Asker): Promise<string>;
  /**
   * Takes the same time if the hash is null, so that timing does not reveal accounts.
   * @throws ApiError 429 or 503 while too many requests wait
   */
  verify(password: string, hash: string | null, asker?: Asker): Promise<boolean>;
}

const STRANGERS: TurnsOptions = { atOnce: 2, waitingEach: 32, waitingInAll: 128 };
const KNOWN: TurnsOptions = { atOnce: 1, waitingEach: 8, waitingInAll: 128 };

/**
 * Uses at most three of the thread pool's four threads, so that file access continues. `cost` is
 * bcrypt's logarithmic work factor.
 */
export function createPasswords(cost: number, forStrangers: TurnsOptions = STRANGERS): Passwords {
  const strangers = createTurns(forStrangers);
  const known = createTurns(KNOWN);
  const inTurn = <Result>({ key, isKnown }: Asker, work: () => Promise<Result>) =>
    (isKnown ? known : strangers)(key, work);
  let decoy: Promise<string> | undefined;
  const decoyHash = () => {
    decoy ??= bcrypt.hash(randomBytes(32).toString('base64'), cost);
    return decoy;
  };
  return {
    hash: (password, asker = SOMEBODY) => inTurn(asker, () => bcrypt.hash(prepare(password), cost)),
    verify: (password, hash, asker = SOMEBODY) =>
      inTurn(asker, async () => {
        const instead = await decoyHash();
        const matches = await bcrypt.compare(prepare(password), hash ?? instead);
        return matches && hash !== null;
      }),
  };
}
