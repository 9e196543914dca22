import { logRepeated } from './log-repeated';
import { type Logger, silentLogger } from './logger';

type Line = Record<string, unknown>;

function recorder() {
  const lines: Line[] = [];
  let ended: () => void = () => undefined;
  const over = () =>
    new Promise<void>((resolve) => {
      ended = resolve;
    });
  const write = (level: string) => (message: string, fields?: object) => {
    lines.push({ level, message, ...fields });
    if (level === 'info') ended();
  };
  const logger: Logger = {
    ...silentLogger,
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
  };
  return { logger, lines, over };
}

const DOWN = { cause: 'connect ECONNREFUSED', stack: 'Error: at …' };

describe('logRepeated', () => {
  it('logs the first of 676 equal failures, and logs their number after the last failure', async () => {
    const { logger, lines, over } = recorder();
    for (let n = 0; n < 676; n++) {
      logRepeated(logger, 'warn', 'a sweep failed', { sweep: 'runs', ...DOWN }, { quietMs: 20 });
    }
    expect(lines).toEqual([{ level: 'warn', message: 'a sweep failed', sweep: 'runs', ...DOWN }]);
    await over();
    expect(lines.slice(1)).toEqual([
      {
        level: 'info',
        message: 'over: a sweep failed',
        cause: DOWN.cause,
        times: 676,
        ms: expect.any(Number),
      },
    ]);
    logRepeated(logger, 'warn', 'a sweep failed', DOWN);
    expect(lines.at(-1)).toEqual({ level: 'warn', message: 'a sweep failed', ...DOWN });
  });

  it('while failures continue, logs their number without the stack', () => {
    const { logger, lines } = recorder();
    const often = { everyMs: 0 };
    for (let n = 0; n < 3; n++) logRepeated(logger, 'error', 'request failed', DOWN, often);
    expect(lines.map(({ message, times, stack }) => [message, times, stack])).toEqual([
      ['request failed', undefined, DOWN.stack],
      ['still: request failed', 2, undefined],
      ['still: request failed', 3, undefined],
    ]);
  });

  it('counts failures per cause, message and logger, and logs the end of a failure only if it occurs more than once', async () => {
    const [one, other] = [recorder(), recorder()];
    const quick = { quietMs: 1 };
    logRepeated(one.logger, 'warn', 'a', DOWN, quick);
    logRepeated(one.logger, 'warn', 'a', { cause: 'a defect' }, quick);
    logRepeated(one.logger, 'warn', 'b', DOWN, quick);
    logRepeated(other.logger, 'warn', 'a', DOWN, quick);
    for (let n = 0; n < 2; n++) logRepeated(one.logger, 'warn', 'c', DOWN, { quietMs: 5 });
    await one.over();
    expect(one.lines.map(({ message }) => message)).toEqual(['a', 'a', 'b', 'c', 'over: c']);
    expect(other.lines).toHaveLength(1);
  });

  it('groups failures by their message if their causes differ', () => {
    const { logger, lines } = recorder();
    for (let n = 0; n < 1_000; n++) logRepeated(logger, 'warn', 'a', { cause: `id ${n}` });
    expect(lines.length).toBeLessThan(210);
  });
});
