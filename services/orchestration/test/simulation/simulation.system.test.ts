import fc from 'fast-check';
import { histories, simulate } from './simulate';

const first = Number(process.env.SIMULATION_SEED ?? 1);
const seeds = Number(process.env.SIMULATION_SEEDS ?? 4);
if (!(seeds > 0) || !(first >= 0)) throw new Error('seeds must be numbers, and at least one');

/**
 * A single seed is also shrunk.
 * @returns the breach and the history that causes it; null if no promise is broken
 */
async function findBreach(seed: number): Promise<string | null> {
  const property = fc.asyncProperty(histories, async (steps) => {
    const lines = await simulate(steps);
    if (process.env.SIMULATION_LINES) process.stdout.write(`${lines.join('\n')}\n\n`);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: 1,
    unbiased: true,
    endOnFailure: seeds > 1,
  });
  if (!failed) return null;
  const steps = counterexample?.[0] ?? [];
  return `${errorInstance}\n${steps.length} steps: ${JSON.stringify(steps)}`;
}

describe('a simulated company on a virtual clock', () => {
  it(`keeps its promises during random requests and faults (${seeds} seeds from ${first})`, async () => {
    for (let seed = first; seed < first + seeds; seed++) {
      expect({ seed, breach: await findBreach(seed) }).toEqual({ seed, breach: null });
    }
  });
});
