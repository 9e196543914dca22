import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { EnvironmentError } from '@switchyard/server';
import { writeContainerKeys } from './container-keys';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = () => mkdtempSync(join(folder, 'a-'));
const text = (at: string, name: string) => readFileSync(join(at, name), 'utf8');
const variables = (at: string) => parseEnv(text(at, 'orchestration.env'));

describe('the keys of containers on one machine', () => {
  it('are made once and kept', () => {
    const at = place();
    writeContainerKeys({}, at);
    const first = variables(at);
    expect(Buffer.from(first.SECRETS_MASTER_KEY as string, 'base64')).toHaveLength(32);
    expect(first.RUN_TOKEN_SECRET).toMatch(/^[\w-]{43}$/);
    expect(first.TRUST_LOCAL_NETWORK).toBe('true');
    writeContainerKeys({ SECRETS_MASTER_KEY: '', POSTGRES_PASSWORD: '' }, at);
    expect(variables(at)).toEqual(first);
    const other = place();
    writeContainerKeys({}, other);
    expect(variables(other).SECRETS_MASTER_KEY).not.toBe(first.SECRETS_MASTER_KEY);
    expect(text(other, 'postgres-password')).not.toBe(text(at, 'postgres-password'));
  });

  it('are those that are given, whatever was made before', () => {
    const at = place();
    writeContainerKeys({}, at);
    writeContainerKeys({ RUN_TOKEN_SECRET: 'a # "b" = c', POSTGRES_PASSWORD: 'p@ss/w' }, at);
    expect(variables(at)).toMatchObject({
      RUN_TOKEN_SECRET: 'a # "b" = c',
      DATABASE_URL: 'postgresql://switchyard:p%40ss%2Fw@postgres:5432/switchyard',
    });
    expect(text(at, 'postgres-password')).toBe('p@ss/w');
  });

  it('are chosen by the operator in authenticated mode, also where some were made before', () => {
    const at = place();
    writeContainerKeys({}, at);
    const before = text(at, 'orchestration.env');
    expect(() => writeContainerKeys({ AUTH_MODE: 'authenticated' }, at)).toThrow(
      'The environment is not usable:\n  RUN_TOKEN_SECRET: is missing\n  SESSION_SECRET: is missing\n  SECRETS_MASTER_KEY: is missing',
    );
    expect(text(at, 'orchestration.env')).toBe(before);
  });

  it('are readable by their owner alone, but the password, which the database reads', () => {
    const at = place();
    writeContainerKeys({}, at);
    const mode = (name: string) => (statSync(join(at, name)).mode & 0o777).toString(8);
    expect([mode('orchestration.env'), mode('metrics.env')]).toEqual(['400', '400']);
    expect(mode('postgres-password')).toBe('444');
  });

  it('can be written in the form that Node reads, or are refused', () => {
    for (const value of ["it's", 'two\nlines']) {
      expect(() => writeContainerKeys({ SESSION_SECRET: value }, place())).toThrow(
        EnvironmentError,
      );
    }
  });
});
