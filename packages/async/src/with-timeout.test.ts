import { getEventListeners } from 'node:events';
import { untilAborted } from './until-aborted';
import { TimeoutError, withTimeout } from './with-timeout';

const never = () => new Promise<never>(() => {});
const LONG_MS = 60_000;

const timers = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

async function rejectAfter(wait: (work: Promise<never>) => Promise<unknown>): Promise<unknown[]> {
  const unheard: unknown[] = [];
  const record = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', record);
  let reject: (reason: Error) => void = () => {};
  await wait(
    new Promise((_, no) => {
      reject = no;
    }),
  );
  reject(new Error('too late'));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', record);
  return unheard;
}

describe('withTimeout', () => {
  it('returns the work’s result or throws the work’s error, and leaves no timer running', async () => {
    const before = timers();
    await expect(withTimeout(Promise.resolve(7), LONG_MS)).resolves.toBe(7);
    await expect(withTimeout(Promise.reject(new Error('x')), LONG_MS)).rejects.toThrow('x');
    expect(timers()).toBe(before);
  });

  it('throws a TimeoutError if the work takes too long', async () => {
    await expect(withTimeout(never(), 1)).rejects.toBeInstanceOf(TimeoutError);
  });

  it('returns onTimeout’s result, or throws onTimeout’s error, if the work takes too long', async () => {
    await expect(withTimeout(never(), 1, () => 'late')).resolves.toBe('late');
    const mine = () => {
      throw new Error('mine');
    };
    await expect(withTimeout(never(), 1, mine)).rejects.toThrow('mine');
  });

  it('ignores a rejection of the work after the timeout', async () => {
    expect(await rejectAfter((work) => withTimeout(work, 0, () => 'late'))).toEqual([]);
  });
});

describe('untilAborted', () => {
  it('returns the work’s result or throws the work’s error, and leaves no listener', async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(untilAborted(Promise.reject(new Error('x')), signal)).rejects.toThrow('x');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('throws the reason of the signal, even if the signal was aborted before the call', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never(), controller.signal);
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await expect(untilAborted(Promise.resolve(7), controller.signal)).rejects.toThrow('stop');
  });

  it('returns the result of onAbort if the signal was aborted', async () => {
    await expect(untilAborted(never(), AbortSignal.abort(), () => 'cut')).resolves.toBe('cut');
  });

  it('ignores a rejection of the work after the abort', async () => {
    const cut = (work: Promise<never>) => untilAborted(work, AbortSignal.abort(), () => 'cut');
    expect(await rejectAfter(cut)).toEqual([]);
  });
});
