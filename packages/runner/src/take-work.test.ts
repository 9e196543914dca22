import { type Clock, install } from '@sinonjs/fake-timers';
import type { RunnerNextBody, RunnerWork } from '@switchyard/types';
import { takeWork, type WorkIntake } from './take-work';

interface Asked {
  body: RunnerNextBody;
  signal: AbortSignal;
  answer(work: RunnerWork): void;
}

const NOTHING = { run: null, check: null, cancel: [] } as unknown as RunnerWork;

describe('takeWork() when a slot becomes free', () => {
  let asked: Asked[];
  let taken: RunnerWork[];
  let free: number;
  let intake: WorkIntake;
  let clock: Clock;
  beforeEach(() => {
    clock = install();
    [asked, taken] = [[], []];
  });
  afterEach(async () => {
    await intake.close();
    clock.uninstall();
  });

  function begin(places: number): void {
    free = places;
    const next = (body: RunnerNextBody, signal?: AbortSignal) =>
      new Promise<RunnerWork>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        asked.push({ body, signal: signal as AbortSignal, answer: resolve });
      });
    intake = takeWork({
      protocol: { next },
      logger: { warn: fail, error: fail } as never,
      request: (waitMs) => ({ free, running: Array(16 - free).fill({}), waitMs }) as never,
      take: (work) => taken.push(work),
      onUnknown: async () => fail('unknown'),
      onReplaced: () => fail('replaced'),
    });
  }
  const fail = (what: string) => {
    throw new Error(what);
  };
  const last = () => asked.at(-1) as Asked;

  it('keeps the request open for 1.5 s, because the server may be assigning that slot', async () => {
    begin(1);
    free = 2;
    intake.freed();
    await clock.tickAsync(1_499);
    expect(last().signal.aborted).toBe(false);
    last().answer(NOTHING);
    await clock.tickAsync(10_000);
    expect([taken, asked.length]).toEqual([[NOTHING], 2]);
    expect(last().signal.aborted).toBe(false);
  });

  it('after 1.5 s, cancels the open request and sends a request with all free slots', async () => {
    begin(1);
    free = 2;
    intake.freed();
    await clock.tickAsync(1_000);
    free = 3;
    intake.freed();
    await clock.tickAsync(500);
    expect(asked.map(({ body, signal }) => [body.free, signal.aborted])).toEqual([
      [1, true],
      [3, false],
    ]);
    await clock.tickAsync(10_000);
    expect(asked).toHaveLength(2);
  });

  it('keeps a request open that asks for more than a quarter of all slots', async () => {
    begin(5);
    free = 6;
    intake.freed();
    await clock.tickAsync(60_000);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false]);
  });
});
