import { type Clock, install } from '@sinonjs/fake-timers';
import { onceThere } from './once-there';

const GONE = new TypeError('Failed to fetch dynamically imported module: /assets/costs.js');
const SCREEN = { Screen: 'the screen' };

describe('onceThere', () => {
  const { fetch } = globalThis;
  let asked: number;

  function answersFrom(nth: number) {
    let questions = 0;
    globalThis.fetch = (async () => {
      questions += 1;
      if (questions < nth) throw new TypeError('Failed to fetch');
      return new Response(null, { status: 200 });
    }) as typeof globalThis.fetch;
  }

  const thereFrom =
    (nth: number, error: Error = GONE) =>
    async () => {
      asked += 1;
      if (asked < nth) throw error;
      return SCREEN;
    };

  let clock: Clock;
  beforeEach(() => {
    asked = 0;
    Object.assign(globalThis, { location: { href: 'http://127.0.0.1/ACM/costs' } });
    clock = install();
  });
  afterEach(() => {
    clock.uninstall();
    Reflect.deleteProperty(globalThis, 'location');
    globalThis.fetch = fetch;
  });

  async function result(load: () => Promise<unknown>): Promise<unknown> {
    let ended: { found: unknown } | undefined;
    const end = (found: unknown) => {
      ended = { found };
    };
    void onceThere(load).then(end, end);
    while (!ended) await clock.tickAsync(1_000);
    return ended.found;
  }

  it('retries while the service is unreachable', async () => {
    answersFrom(10);
    expect(await result(thereFrom(9))).toBe(SCREEN);
    expect(asked).toBe(9);
  });

  it('retries a failed load as soon as the service is reachable again', async () => {
    answersFrom(1);
    expect(await result(thereFrom(2))).toBe(SCREEN);
  });

  it('throws the error if the load fails again while the service is reachable', async () => {
    answersFrom(1);
    expect(await result(thereFrom(3))).toBe(GONE);
    expect(asked).toBe(2);
  });

  it('rethrows an error thrown by the loaded code, without a retry', async () => {
    answersFrom(1);
    const fault = new TypeError('x is not a function');
    expect(await result(thereFrom(2, fault))).toBe(fault);
    expect(asked).toBe(1);
  });
});
