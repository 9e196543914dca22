/**
 * Returns CPU time in microseconds, the minimum of three runs, because disturbances only add time.
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

const LEAST_MICROSECONDS = 1_000;

export const LINEAR = 40;

/**
 * Returns how many times longer `work` takes for an input of `size` than for a tenth of it. The
 * ratio is comparable between machines.
 */
export function timesLonger(work: (size: number) => unknown, size: number): number {
  work(size / 10);
  const small = Math.max(
    cost(() => work(size / 10)),
    LEAST_MICROSECONDS,
  );
  return cost(() => work(size)) / small;
}
