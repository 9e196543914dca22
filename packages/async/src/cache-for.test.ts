import { cacheFor } from './cache-for';

function counting(answers: (string | null | Error)[]) {
  let calls = 0;
  let time = 0;
  const find = async () => {
    const answer = answers[calls++] ?? null;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const shared = cacheFor(find, { foundMs: 60, failedMs: 10, now: () => time });
  return { shared, calls: () => calls, at: (ms: number) => (time = ms) };
}

describe('cacheFor', () => {
  it('calls the loader once for concurrent callers', async () => {
    const { shared, calls } = counting(['a', 'b']);
    expect(await Promise.all([shared(), shared(), shared()])).toEqual(['a', 'a', 'a']);
    expect(calls()).toBe(1);
  });

  it('returns the cached result while it is fresh', async () => {
    const { shared, calls, at } = counting(['a', 'b']);
    await shared();
    at(59);
    expect(await shared()).toBe('a');
    at(60);
    expect(await shared()).toBe('b');
    expect(calls()).toBe(2);
  });

  it('calls the loader again sooner after null or an error than after a result', async () => {
    const { shared, at } = counting([null, new Error('no'), 'c']);
    expect(await shared()).toBeNull();
    at(9);
    expect(await shared()).toBeNull();
    at(10);
    expect(await shared()).toBeNull();
    at(20);
    expect(await shared()).toBe('c');
  });
});
