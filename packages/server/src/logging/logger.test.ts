import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const BUILT = join(__dirname, '../../dist');
const TOKEN = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJ4In0', 'c2lnbmF0dXJl'].join('.');

function written(script: string, format: 'json' | 'pretty', level = 'info'): string[] {
  const options = JSON.stringify({ process: 'test', level, format });
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      '-e',
      `const { createLogger, errorFields, withLogContext } = require(${JSON.stringify(BUILT)});
       const logger = createLogger(${options}); ${script}`,
    ],
    { encoding: 'utf8' },
  );
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.split('\n').filter(Boolean);
}

const SECRETS = `
  logger.info('hello Bearer abcdefgh12345678', {
    password: 'hunter2', nested: { authorization: 'hunter2', list: [{ token: 'hunter2' }] },
    url: 'postgresql://me:hunter2@host/db', jwt: '${TOKEN}',
  });
  logger.error('failed', errorFields(new Error('no postgresql://me:hunter2@host/db')));`;

describe('createLogger', () => {
  it.each(['json', 'pretty'] as const)(
    'masks credentials anywhere in a line (format: %s)',
    (format) => {
      const lines = written(SECRETS, format);
      expect(lines.length).toBeGreaterThanOrEqual(2);
      const all = lines.join('\n');
      for (const secret of ['hunter2', 'abcdefgh12345678', TOKEN])
        expect(all).not.toContain(secret);
      expect(all).toContain('postgresql://me:***@host/db');
    },
  );

  it('writes one JSON object per line, with level, time, process and correlation id', () => {
    const [line] = written(
      `withLogContext({ correlationId: 'c-1', runId: 'r-1' }, () =>
         logger.warn('two\\nlines', { correlationId: 'other', big: 10n, at: new Date(0) }));`,
      'json',
    );
    expect(JSON.parse(line as string)).toEqual({
      level: 'warn',
      message: 'two\nlines',
      process: 'test',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      correlationId: 'c-1',
      runId: 'r-1',
      big: '10',
      at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('writes a readable line with its fields', () => {
    const [line] = written(
      "logger.info('hello', { count: 2, who: 'me', none: undefined });",
      'pretty',
    );
    expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info hello count=2 who=me$/);
  });

  it('omits lines below the configured level', () => {
    const script = "logger.debug('a'); logger.info('b'); logger.warn('c'); logger.error('d');";
    expect(written(script, 'json', 'warn')).toHaveLength(2);
    expect(written(script, 'json', 'debug')).toHaveLength(4);
  });
});
