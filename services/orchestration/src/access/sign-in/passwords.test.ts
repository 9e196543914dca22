import { stat } from 'node:fs/promises';
import { until } from '@switchyard/testing';
import { createPasswords } from './passwords';

describe('createPasswords', () => {
  const passwords = createPasswords(4);

  it('accepts a password only if every character matches, even beyond 72 bytes and after a NUL', async () => {
    const long = 'x'.repeat(127);
    const hash = await passwords.hash(`${long}a`);
    expect(await passwords.verify(`${long}a`, hash)).toBe(true);
    expect(await passwords.verify(`${long}b`, hash)).toBe(false);
    const behind = await passwords.hash('twelve chars\0one');
    expect(await passwords.verify('twelve chars\0two', behind)).toBe(false);
  });

  it('accepts the same password in composed and decomposed Unicode', async () => {
    const hash = await passwords.hash('Ad\u00e9la\u00efde long');
    expect(await passwords.verify('Ade\u0301lai\u0308de long', hash)).toBe(true);
  });

  it('creates a salted hash, and accepts no password for an account without a hash', async () => {
    const [one, other] = [
      await passwords.hash('same password'),
      await passwords.hash('same password'),
    ];
    expect(one).not.toBe(other);
    expect(one).not.toContain('same');
    expect(await passwords.verify('same password', null)).toBe(false);
    expect(await passwords.verify('', null)).toBe(false);
  });

  it('uses similar CPU time whether or not the account exists', async () => {
    const slow = createPasswords(9);
    const hash = await slow.hash('some password');
    await slow.verify('warm up', null);
    const cost = async (of: string | null) => {
      const costs: number[] = [];
      for (let at = 0; at < 5; at++) {
        const start = process.cpuUsage();
        await slow.verify('another password', of);
        const { user, system } = process.cpuUsage(start);
        costs.push(user + system);
      }
      return Math.min(...costs);
    };
    expect((await cost(null)) / (await cost(hash))).toBeGreaterThan(0.5);
  });

  describe('during many concurrent checks', () => {
    const busy = createPasswords(8);
    function flood(count: number, askers: number, tried = busy) {
      const ended = { done: 0, refused: 0 };
      const all = Array.from({ length: count }, (_, at) =>
        tried.verify('a password', null, { key: `asker ${at % askers}`, isKnown: false }).then(
          () => ended.done++,
          () => ended.refused++,
        ),
      );
      return { ended, all: Promise.all(all) };
    }

    it('leaves a thread free for file access', async () => {
      const { ended, all } = flood(60, 60);
      await until('the first to end', () => ended.done > 0);
      const before = ended.done;
      await stat(__filename);
      expect(ended.done - before).toBeLessThan(10);
      await all;
      expect(ended).toEqual({ done: 60, refused: 0 });
    });

    it('checks attempts from known browsers and other addresses before the rest of a flood', async () => {
      const { ended, all } = flood(60, 2);
      await until('the first to end', () => ended.done > 0);
      await busy.verify('a password', null, { key: 'a browser', isKnown: true });
      expect(ended.done).toBeLessThan(20);
      await busy.verify('a password', null, { key: 'another address', isKnown: false });
      expect(ended.done).toBeLessThan(30);
      await all;
    });

    it('rejects attempts beyond the queue limits', async () => {
      const { ended, all } = flood(200, 1, passwords);
      await all;
      expect(ended.refused).toBe(200 - 32 - 2);
      const many = flood(300, 300, passwords);
      await many.all;
      expect(many.ended.refused).toBe(300 - 128 - 2);
    });
  });
});
