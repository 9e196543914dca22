/** More rounds than this mean that statement and explanation contradict each other. */
const MAX_ROUNDS = 100;

/**
 * Repeats `decide`, one statement that decides and writes, until it returns a row. After each null
 * `explain` throws the reason, returns the existing result, or returns null if the state has
 * changed in between.
 */
export async function untilDecided<T>(
  decide: () => Promise<T | null>,
  explain: () => Promise<T | null>,
): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const decided = (await decide()) ?? (await explain());
    if (decided !== null) return decided;
  }
  throw new Error(`a statement and its explanation disagree ${MAX_ROUNDS} times`);
}
