import { shareNext } from './scan-processes';

function gatedWork() {
  const ends: ((fail?: Error) => void)[] = [];
  const ask = shareNext(
    () =>
      new Promise<number>((resolve, reject) => {
        const run = ends.length;
        ends.push((fail) => (fail ? reject(fail) : resolve(run)));
      }),
  );
  return { ask, ends };
}

describe('shareNext()', () => {
  it('executes the work once more for all calls that arrive during an execution', async () => {
    const { ask, ends } = gatedWork();
    const first = ask();
    const during = [ask(), ask(), ask()];
    expect(ends).toHaveLength(1);
    ends[0]?.();
    expect(await first).toBe(0);
    expect(ends).toHaveLength(2);
    const later = ask();
    ends[1]?.();
    expect(await Promise.all(during)).toEqual([1, 1, 1]);
    expect(ends).toHaveLength(3);
    ends[2]?.();
    expect(await later).toBe(2);
    const alone = ask();
    ends[3]?.();
    expect(await alone).toBe(3);
  });

  it('rejects only the calls that share the failed execution', async () => {
    const { ask, ends } = gatedWork();
    const first = ask();
    const second = ask();
    ends[0]?.(new Error('no /proc'));
    await expect(first).rejects.toThrow('no /proc');
    ends[1]?.();
    expect(await second).toBe(1);
  });
});
