/** CPU time in microseconds, the least of three, because whatever else happens only adds. */
function cost(work: () => unknown): number {
  const spent = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.min(...spent);
}

/** What is quicker than this is not told apart from nothing. */
const LEAST_MICROSECONDS = 1_000;

/** Between ten, which linear work needs, and a hundred, which quadratic work does. */
export const LINEAR = 40;

/**
 * How many times longer `work` takes for an input of `size` than for a tenth of it: at most about ten when
 * its time is linear. A ratio of one run, so it says the same on any machine.
 */
export function timesLonger(work: (size: number) => unknown, size: number): number {
  work(size / 10);
  const small = Math.max(
    cost(() => work(size / 10)),
    LEAST_MICROSECONDS,
  );
  return cost(() => work(size)) / small;
}
