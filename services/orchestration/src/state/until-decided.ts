/** A state that changes between each statement and its explanation this often is a contradiction of the two. */
const MAX_ROUNDS = 100;

/**
 * Repeats `decide`, one statement that decides and writes, until it returns a row. After each null `explain` throws why,
 * returns what holds already, or returns null because the state has changed in between.
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
