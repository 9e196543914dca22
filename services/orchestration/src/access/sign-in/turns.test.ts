import type { ApiError } from '@switchyard/server';
import { createTurns } from './turns';

function openWork() {
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      order.push(name);
      ends.set(name, () => resolve(name));
    });
  return { order, work, end: (name: string) => ends.get(name)?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('createTurns', () => {
  it('limits concurrent work, and alternates between keys with waiting work', async () => {
    const turns = createTurns({ atOnce: 2, waitingEach: 10, waitingInAll: 10 });
    const { order, work, end } = openWork();
    const done = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2'].map((name) =>
      turns(name.charAt(0), work(name)),
    );
    await settle();
    expect(order).toEqual(['a1', 'a2']);
    const expected = ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5'];
    for (const [at, name] of expected.entries()) {
      end(name);
      await settle();
      expect(order).toEqual(expected.slice(0, Math.min(at + 3, expected.length)));
    }
    expect(await Promise.all(done)).toHaveLength(8);
  });

  it('returns 429 for a key with too much waiting work, and 503 for every key if the queue is full', async () => {
    const turns = createTurns({ atOnce: 1, waitingEach: 2, waitingInAll: 3 });
    const { order, work, end } = openWork();
    const codeOf = (refused: Promise<unknown>) =>
      refused.then(
        () => 'done',
        (error: ApiError) => [error.code, error.headers['Retry-After']],
      );
    const first = ['a1', 'a2', 'a3'].map((name) => turns('a', work(name)));
    expect(await codeOf(turns('a', work('a4')))).toEqual(['rate_limited', '1']);
    const second = turns('b', work('b1'));
    expect(await codeOf(turns('c', work('c1')))).toEqual(['unavailable', '1']);
    for (const name of ['a1', 'a2', 'b1', 'a3']) {
      await settle();
      end(name);
    }
    await Promise.all([...first, second]);
    const later = turns('c', work('c2'));
    end('c2');
    await later;
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'c2']);
  });

  it('starts the next work after the previous work fails', async () => {
    const turns = createTurns({ atOnce: 1, waitingEach: 1, waitingInAll: 1 });
    const failed = turns('a', () => Promise.reject(new Error('no')));
    const next = turns('a', async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await turns('a', async () => 'again')).toBe('again');
  });
});
