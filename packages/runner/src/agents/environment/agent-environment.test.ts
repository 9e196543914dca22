import { randomUUID } from 'node:crypto';
import {
  agentEnvironment,
  bytesOf,
  credentialsOf,
  literalsOf,
  referencesOf,
} from './agent-environment';

const problem = (env: object) => agentEnvironment.safeParse(env).error?.issues[0];

describe('agentEnvironment', () => {
  it('accepts literals of up to 8,192 characters, and up to 65,536 bytes in total', () => {
    const eight = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`V${at}`, 'x'.repeat(8_192)]),
    );
    expect(problem(eight)).toBeUndefined();
    expect(problem({ V: 'x'.repeat(8_193) })?.path).toEqual(['V']);
    expect(problem({ ...eight, ONE: 'x' })?.message).toContain('at most 65536 bytes together');
    expect(problem({ A: 'ä'.repeat(8_192), B: 'ä'.repeat(8_192) })).toBeUndefined();
    const wide = Object.fromEntries(
      ['A', 'B', 'C', 'D', 'E'].map((name) => [name, 'ä'.repeat(8_192)]),
    );
    expect(problem(wide)?.message).toContain('together');
  });

  it('separates literals from references', () => {
    const reference = { type: 'secret_ref', secretId: randomUUID(), version: 2 };
    const env = agentEnvironment.parse({ A: 'ä', B: reference });
    expect(literalsOf(env)).toEqual({ A: 'ä' });
    expect(referencesOf(env)).toEqual({ B: reference });
    expect(bytesOf(literalsOf(env))).toBe(2);
  });

  it('does not include values in its errors', () => {
    const canary = 'canary-value';
    const bad = [
      { A: `${canary}\0` },
      { A: canary.repeat(1_000) },
      { A: { type: 'secret_ref', secretId: canary } },
      { A: { type: canary } },
      { A: [canary] },
      { SERVICE_X: canary },
    ];
    for (const env of bad) {
      const { error } = agentEnvironment.safeParse(env);
      expect(error?.issues.length).toBeGreaterThan(0);
      expect(JSON.stringify(error?.issues)).not.toContain(canary);
    }
  });
});

describe('credentialsOf', () => {
  it.each([
    'ANTHROPIC_API_KEY',
    'GITHUB_TOKEN',
    'PGPASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'DB_PASS',
    'GITHUB_PAT',
    'BASIC_AUTH',
    'apiKey',
    'accesstoken',
    'APP_SECRETS',
    'SENTRY_DSN',
  ])('returns the value of %s', (name) => {
    expect(credentialsOf({ [name]: 'value' })).toEqual(['value']);
  });

  it.each([
    'PORT',
    'LOG_LEVEL',
    'BRANCH',
    'MAX_TOKENS',
    'AUTH_MODE',
    'PWD',
    'KEYBOARD_LAYOUT',
    'AUTHOR',
    'TOKENIZERS_PARALLELISM',
    'PASS_THROUGH',
    'COMPASS',
  ])('ignores the value of %s', (name) => {
    expect(credentialsOf({ [name]: 'value' })).toEqual([]);
  });

  it('returns a password in a URL, but not a boolean word', () => {
    const DATABASE_URL = 'postgres://app:hunter22@db/app';
    expect(credentialsOf({ DATABASE_URL, SECRET_SCAN: 'true' })).toEqual([
      DATABASE_URL,
      'hunter22',
    ]);
    expect(credentialsOf({ SITE: 'https://example.com:8080/a@b' })).toEqual([]);
  });
});
