import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  commaSeparated,
  commonEnvironment,
  EnvironmentError,
  port,
  readEnvironment,
  wholeNumber,
} from './environment';

const DATABASE_URL = 'postgresql://user:pass-word@localhost/db';

describe('readEnvironment', () => {
  const schema = z.object({
    ...commonEnvironment,
    PORT: port.default(3100),
    SIZE: wholeNumber(2, 10).default(4),
    HOSTS: commaSeparated.default([]),
    SECRET: z.string().min(8, 'must have at least 8 characters'),
  });
  const good = { DATABASE_URL, SECRET: 'long enough' };

  it('uses defaults for absent and empty variables', () => {
    expect(readEnvironment(schema, { ...good, PORT: '', HOSTS: '', UNKNOWN: 'x' })).toEqual({
      ...good,
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      DATABASE_POOL_SIZE: 10,
      SHUTDOWN_GRACE_SEC: 20,
      PORT: 3100,
      SIZE: 4,
      HOSTS: [],
    });
  });

  it('throws one error that names every invalid variable but contains no value', () => {
    const bad = {
      DATABASE_URL: 'mysql://user:hunter2@localhost/db',
      LOG_LEVEL: 'hunter2',
      PORT: 'hunter2',
      SIZE: '11',
      SECRET: 'hunter2',
      SHUTDOWN_GRACE_SEC: '1e9',
    };
    const read = () => readEnvironment(schema, bad);
    expect(read).toThrow(EnvironmentError);
    for (const name of Object.keys(bad)) expect(read).toThrow(new RegExp(`^  ${name}: `, 'm'));
    expect(read).toThrow(/^The environment is not usable:\n/);
    expect(read).not.toThrow(/hunter2/);
  });

  it('reads a secret from a file, and reports at most one problem for the secret', () => {
    const read = (file: string) =>
      readEnvironment(z.object({ SESSION_SECRET: z.string().min(8, 'is too short') }), {
        SESSION_SECRET_FILE: file,
      });
    const path = join(mkdtempSync(join(tmpdir(), 'environment-')), 'secret');
    writeFileSync(path, 'long enough\n');
    expect(read(path)).toEqual({ SESSION_SECRET: 'long enough' });
    writeFileSync(path, 'short\n');
    expect(() => read(path)).toThrow(/\n {2}SESSION_SECRET: is too short$/);
    rmSync(path);
    expect(() => read(path)).toThrow(/:\n {2}SESSION_SECRET_FILE: cannot be read \(ENOENT\)$/);
  });

  it('throws an error that names every missing variable', () => {
    expect(() => readEnvironment(schema, {})).toThrow(/ {2}DATABASE_URL: [\s\S]* {2}SECRET: /);
  });

  it.each(['-1', '65536', '99999', '3100.5', '0x10', ' 80', '8 0', '1e3', 'NaN', '٣'])(
    'refuses the port %s',
    (value) => expect(port.safeParse(value).success).toBe(false),
  );

  it.each([
    ['0', 0],
    ['80', 80],
    ['65535', 65_535],
  ])('accepts the port %s', (value, number) => expect(port.parse(value)).toBe(number));

  it('splits a list at commas', () => {
    expect(commaSeparated.parse(' a, b,,c ,')).toEqual(['a', 'b', 'c']);
  });
});
