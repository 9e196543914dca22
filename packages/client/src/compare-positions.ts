/**
 * Orders positions of a company's change stream (`version`, `X-Event-Position`): negative if `one`
 * is earlier. Of two versions of a row, the one with the later position is newer.
 */
export function comparePositions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  const at = left[0] === right[0] ? 1 : 0;
  return left[at] < right[at] ? -1 : Number(left[at] > right[at]);
}

function numbersOf(position: string): [bigint, bigint] {
  const [transaction = '', sequence = ''] = position.split('-');
  return [BigInt(transaction), BigInt(sequence)];
}
