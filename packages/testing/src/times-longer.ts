/** Returns CPU time in microseconds, the least of three, because disturbances only add. */
function cost(work: () => unknown): number {
  const spent = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.min(...spent);
}

const LEAST_MICROSECONDS = 1_000;

/** Between ten, which linear work needs, and a hundred, which quadratic work needs. */
export const LINEAR = 40;

/**
 * Returns how many times longer `work` takes for an input of `size` than for a tenth of it: about ten for linear work. A ratio within one run
 * is comparable on any machine.
 */
export function timesLonger(work: (size: number) => unknown, size: number): number {
  work(size / 10);
  const small = Math.max(
    cost(() => work(size / 10)),
    LEAST_MICROSECONDS,
  );
  return cost(() => work(size)) / small;
}
