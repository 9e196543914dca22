import { foldText } from '../../state/names/fold-text';
import { handlesOf } from './roster';

const mistakesIn = (handle: string) => (handle.length < 5 ? 1 : 2);
const LEAST_LETTERS = 3;
const MAX_NEAR = 3;

/**
 * Returns names that contain the handle as a word or differ from it by few typos; nearest first.
 */
export function nearNames(handle: string, names: readonly string[]): string[] {
  if (handle.length < LEAST_LETTERS) return [];
  const found = names
    .map((name) => ({ name, mistakes: mistakesOf(handle, name) }))
    .filter(({ mistakes }) => mistakes <= mistakesIn(handle))
    .sort((one, other) => one.mistakes - other.mistakes);
  return [...new Set(found.map(({ name }) => name))].slice(0, MAX_NEAR);
}

function mistakesOf(handle: string, name: string): number {
  if (
    foldText(name)
      .split(/[ _-]+/)
      .includes(handle)
  )
    return 0;
  const spellings = handlesOf(name).filter(
    ({ length }) =>
      length >= LEAST_LETTERS && Math.abs(length - handle.length) <= mistakesIn(handle),
  );
  return Math.min(...spellings.map((spelling) => distance(handle, spelling)));
}

function distance(one: string, other: string): number {
  let [twoAbove, above]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        at(above, j) + 1,
        at(row, j - 1) + 1,
        at(above, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(twoAbove, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [twoAbove, above] = [above, row];
  }
  return at(above, other.length);
}

const at = (row: number[] | undefined, place: number) => row?.[place] ?? Number.POSITIVE_INFINITY;
