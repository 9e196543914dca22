import { LINEAR, timesLonger } from '../src/times-longer';

describe('timesLonger', () => {
  const loop = (rounds: number) => {
    let sum = 0;
    for (let round = 0; round < rounds; round++) sum += round % 7;
    return sum;
  };

  it('distinguishes linear from quadratic work', () => {
    expect(timesLonger((size) => loop(size * 1_000), 100_000)).toBeLessThan(LINEAR);
    expect(timesLonger((size) => loop(size ** 2), 20_000)).toBeGreaterThan(LINEAR);
    expect(timesLonger((size) => /(a+)b/.exec('a'.repeat(size)), 40_000)).toBeGreaterThan(LINEAR);
  });
});
