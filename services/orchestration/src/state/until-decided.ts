import { unavailable } from '@switchyard/server';

const MAX_ROUNDS = 100;

/**
 * Repeats `decide`, one statement that decides and writes, until it returns a row. After each null,
 * `explain` throws the reason, returns the existing result, or returns null if the state has
 * changed since.
 * @throws ApiError 503 after 100 rounds
 */
export async function untilDecided<T>(
  decide: () => Promise<T | null>,
  explain: () => Promise<T | null>,
): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const decided = (await decide()) ?? (await explain());
    if (decided !== null) return decided;
  }
  throw unavailable('the state changed too often during the request; try again');
}
