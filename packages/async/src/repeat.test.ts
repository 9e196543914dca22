import { repeat } from './repeat';
import { createSignal } from './signal';

const LONG_MS = 60_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('repeat', () => {
  it('runs rounds one after another, and starts the first round immediately', async () => {
    let begun = 0;
    let atOnce = 0;
    await new Promise<void>((done) => {
      const loop = repeat(async () => {
        expect(++atOnce).toBe(1);
        begun++;
        await turn();
        atOnce--;
        if (begun === 3) done();
        return begun === 3 ? null : 0;
      });
      expect(begun).toBe(1);
      loop.runNow();
    });
    expect(begun).toBe(3);
  });

  it('waits before the first round if firstMs is set', async () => {
    let begun = 0;
    const loop = repeat(
      async () => {
        begun++;
        return LONG_MS;
      },
      { firstMs: LONG_MS },
    );
    await turn();
    expect(begun).toBe(0);
    await loop.close();
  });

  it('starts the next round immediately after runNow, even if runNow is called during a round', async () => {
    const begun = createSignal();
    const go = createSignal();
    const loop = repeat(async () => {
      begun.notify();
      await go.wait(LONG_MS);
      return LONG_MS;
    });
    expect(await begun.wait(LONG_MS)).toBe(true);
    loop.runNow();
    go.notify();
    expect(await begun.wait(LONG_MS)).toBe(true);
    go.notify();
    await turn();
    loop.runNow();
    expect(await begun.wait(LONG_MS)).toBe(true);
    go.notify();
    await loop.close();
  });

  it('starts the next round immediately if the first round calls runNow', async () => {
    let begun = 0;
    await new Promise<void>((done) => {
      repeat(async (_closing, runNow) => {
        if (++begun === 2) done();
        else setImmediate(runNow);
        return begun === 2 ? null : LONG_MS;
      });
    });
    expect(begun).toBe(2);
  });

  it('ends when a round returns null', async () => {
    let begun = 0;
    const loop = repeat(async () => {
      begun++;
      return null;
    });
    await turn();
    loop.runNow();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(begun).toBe(1);
  });

  it('aborts the signal on close, waits for the current round, and starts no other round', async () => {
    let begun = 0;
    let ended = 0;
    const loop = repeat(async (closing) => {
      begun++;
      await new Promise((resolve) => closing.addEventListener('abort', resolve));
      await turn();
      ended++;
      return 0;
    });
    await loop.close();
    loop.runNow();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([begun, ended]).toEqual([1, 1]);
  });
});

describe('createSignal', () => {
  it('notify ends the current wait, or the next wait if no wait is in progress', async () => {
    const signal = createSignal();
    const waiting = signal.wait(LONG_MS);
    signal.notify();
    expect(await waiting).toBe(true);
    signal.notify();
    signal.notify();
    expect(await signal.wait(LONG_MS)).toBe(true);
    expect(await signal.wait(0)).toBe(false);
  });
});
