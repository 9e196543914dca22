import { between } from './machine.mjs';

const MAX_FOREIGN = 0.12;
const MAX_ATTEMPTS = 3;

/**
 * Measures the targets alternately, and returns the quietest rounds. Stops after `wanted` quiet
 * rounds, or after three times as many rounds. The first round warms up. `prepare` is not measured,
 * and passes its result to `measure`.
 */
export async function inRounds(machine, targets, wanted, measure, prepare = () => undefined) {
  const rounds = [];
  const isQuiet = ({ foreign }) => foreign <= MAX_FOREIGN;
  for (let at = -1; at < wanted * MAX_ATTEMPTS && rounds.filter(isQuiet).length < wanted; at++) {
    const round = { foreign: 0, found: new Map() };
    for (const target of targets) {
      const prepared = await prepare(target);
      const before = machine.read(target.pids);
      const numbers = await measure(target, prepared);
      const spent = between(before, machine.read(target.pids));
      round.foreign = Math.max(round.foreign, spent.foreign);
      round.found.set(target, withCost(numbers, spent));
    }
    if (at >= 0) rounds.push(round);
  }
  const kept = rounds.toSorted((a, b) => a.foreign - b.foreign).slice(0, wanted);
  return {
    of: (target) => mediansOf(kept.map(({ found }) => found.get(target)).filter(Boolean)),
    disturbed: kept.filter((round) => !isQuiet(round)).length,
    kept: kept.length,
  };
}

function withCost(numbers, spent) {
  const { count } = numbers;
  if (!count) return numbers;
  return {
    ...numbers,
    service: spent.service / count,
    database: spent.database / count,
  };
}

function mediansOf(rounds) {
  if (rounds.length === 0) return null;
  return Object.fromEntries(
    Object.keys(rounds[0]).map((key) => [key, median(rounds.map((round) => round[key]))]),
  );
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
