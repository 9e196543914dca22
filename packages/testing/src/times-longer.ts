/**
 * Returns CPU time in microseconds: the minimum of three runs, because disturbances only add time.
 */
function cost(work: () => unknown): number {
  const spent = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.min(...spent);
}

const LEAST_MICROSECONDS = 200;

/** The geometric mean of the ratios of linear work (100) and quadratic work (10,000). */
export const LINEAR = 1_000;

/**
 * Returns the time of `work` for an input of `size`, divided by its time for a hundredth of `size`.
 * The ratio is comparable between machines.
 */
export function timesLonger(work: (size: number) => unknown, size: number): number {
  const hundredth = Math.ceil(size / 100);
  work(hundredth);
  const small = Math.max(
    cost(() => work(hundredth)),
    LEAST_MICROSECONDS,
  );
  return cost(() => work(size)) / small;
}
