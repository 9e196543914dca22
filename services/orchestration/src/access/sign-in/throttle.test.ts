import { newId } from '@switchyard/db';
import { redisUrl, until } from '@switchyard/testing';
import { Redis } from 'ioredis';
import { openThrottle, type Throttle } from './throttle';

const SETTINGS = {
  perAccountAndAddress: 2,
  perAccount: 4,
  perBrowser: 3,
  perAddress: 5,
  windowSec: 60,
};

describe('the throttle of failed sign-ins', () => {
  let redis: Redis;
  beforeAll(async () => {
    redis = new Redis(redisUrl());
    await until('Redis', async () => (await redis.ping()) === 'PONG');
  });
  afterAll(() => redis.disconnect());

  const ADA = 'ada@example.com';
  const guess = async (
    throttle: Throttle,
    address: string,
    { email = ADA, browser = null }: { email?: string; browser?: string | null } = {},
  ): Promise<string> =>
    throttle.guess({ address, email, browser }).then(
      ({ isKnown }) => (isKnown ? 'known' : 'counted'),
      (error) => error.code,
    );
  const settings = () => `throttle-${newId()}`;

  it('counts per pair of account and address, per account, and per address', async () => {
    const throttle = openThrottle(redis, settings(), SETTINGS);
    const at = async (address: string, email = ADA) => guess(throttle, address, { email });
    expect([await at('a'), await at('a'), await at('a')]).toEqual([
      'counted',
      'counted',
      'rate_limited',
    ]);
    expect([await at('b'), await at('b'), await at('c')]).toEqual([
      'counted',
      'counted',
      'rate_limited',
    ]);
    expect([await at('a', 'x'), await at('a', 'y'), await at('a', 'z')]).toEqual([
      'counted',
      'counted',
      'rate_limited',
    ]);
  });

  it('does not change any count after a correct password', async () => {
    const throttle = openThrottle(redis, settings(), SETTINGS);
    for (let round = 0; round < 10; round++) {
      const { refundCorrect } = await throttle.guess({ address: 'a', email: ADA, browser: null });
      await refundCorrect();
    }
    expect([await guess(throttle, 'b'), await guess(throttle, 'b')]).toEqual([
      'counted',
      'counted',
    ]);
    const { refundCorrect } = await throttle.guess({ address: 'a', email: ADA, browser: null });
    await refundCorrect();
    expect([
      await guess(throttle, 'c'),
      await guess(throttle, 'c'),
      await guess(throttle, 'd'),
    ]).toEqual(['counted', 'counted', 'rate_limited']);
  });

  it('counts guesses from a known browser separately, so a success there resets no other count', async () => {
    const throttle = openThrottle(redis, settings(), SETTINGS);
    const inBrowser = { address: 'a', email: ADA, browser: 'mine' };
    for (let round = 0; round < 10; round++) {
      const { isKnown, refundCorrect } = await throttle.guess(inBrowser);
      expect(isKnown).toBe(true);
      await refundCorrect();
    }
    const all = await Promise.all(Array.from({ length: 9 }, () => guess(throttle, 'a', inBrowser)));
    expect(all.filter((answer) => answer === 'known')).toHaveLength(3);
    expect(all.filter((answer) => answer === 'counted')).toHaveLength(2);
    expect(await guess(throttle, 'a', { browser: 'another' })).toBe('known');
  });

  it('does not count a sign-in whose password was not checked', async () => {
    const throttle = openThrottle(redis, settings(), SETTINGS);
    for (const browser of [null, 'mine']) {
      for (let round = 0; round < 10; round++) {
        const counted = await throttle.guess({ address: 'a', email: ADA, browser });
        await counted.refundUnchecked();
      }
    }
    const answers = [
      await guess(throttle, 'a'),
      await guess(throttle, 'a'),
      await guess(throttle, 'a'),
    ];
    expect(answers).toEqual(['counted', 'counted', 'rate_limited']);
  });

  it('shares its counts among concurrent requests and processes, even after a restart', async () => {
    const name = settings();
    const [one, other] = [openThrottle(redis, name, SETTINGS), openThrottle(redis, name, SETTINGS)];
    const addresses = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const answers = await Promise.all(
      addresses.flatMap((address) => [guess(one, address), guess(other, address)]),
    );
    expect(answers.filter((answer) => answer === 'counted')).toHaveLength(SETTINGS.perAccount);
    expect(await guess(openThrottle(redis, name, SETTINGS), 'new')).toBe('rate_limited');
  });

  it('keeps its counts in memory when Redis loses its data', async () => {
    const name = settings();
    const throttle = openThrottle(redis, name, SETTINGS);
    for (const address of ['a', 'b', 'c', 'd'])
      expect(await guess(throttle, address)).toBe('counted');
    const keys = await redis.keys(`${name}:*`);
    expect(keys.length).toBeGreaterThanOrEqual(9);
    for (const key of keys) expect(await redis.ttl(key)).toBeGreaterThan(0);
    await redis.del(keys);
    expect(await guess(throttle, 'e')).toBe('rate_limited');
  });
});
