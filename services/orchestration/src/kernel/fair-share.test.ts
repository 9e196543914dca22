import fc from 'fast-check';
import { mayTake } from './fair-share';

function fill(capacity: number, holders: number): number[] {
  const held = Array.from({ length: holders }, () => 0);
  const free = () => capacity - held.reduce((sum, each) => sum + each, 0);
  for (let took = true; took; ) {
    took = false;
    for (let at = 0; at < holders; at++) {
      if (!mayTake(held[at] as number, free(), capacity)) continue;
      held[at] = (held[at] as number) + 1;
      took = true;
    }
  }
  return held;
}

describe('mayTake', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 3],
    [16, 12],
    [500, 375],
  ])('lets the only holder in a pool of %i slots use %i slots', (capacity, most) => {
    expect(fill(capacity, 1)).toEqual([most]);
  });

  it('leaves a share of the slots free for new holders, and gives holders nearly equal shares', () => {
    const anyPool = [fc.integer({ min: 2, max: 500 }), fc.integer({ min: 1, max: 20 })] as const;
    fc.assert(
      fc.property(...anyPool, (capacity, holders) => {
        const held = fill(capacity, holders);
        const free = capacity - held.reduce((sum, each) => sum + each, 0);
        expect(free).toBeGreaterThanOrEqual(Math.floor(capacity / (1 + 3 * holders)));
        if (holders === 1) expect(free).toBeGreaterThanOrEqual(1);
        expect(Math.max(...held) - Math.min(...held)).toBeLessThanOrEqual(3);
        expect(mayTake(0, free, capacity)).toBe(free > 0);
      }),
    );
  });
});
