import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SecretView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { masterKeyId } from '../../adapters/secret-box/master-keys';
import { createSecretBox, type SecretBox } from '../../adapters/secret-box/secret-box';
import { resolveSecrets } from './resolve-secrets';
import { rewrapKeys } from './rewrap-keys';

const COMMAND = join(__dirname, '..', '..', '..', 'dist', 'bin', 'admin.js');

describe('rewrapKeys', () => {
  const harness = useHarness();
  const next = randomBytes(32);
  const first = () => harness.config.masterKeys.current;
  const both = () => createSecretBox({ current: next, old: first() });
  const valueBehind = (box: SecretBox, { id, companyId }: SecretView) =>
    resolveSecrets(box, harness.context.db, companyId, {
      NAME: { type: 'secret_ref', secretId: id, version: 'latest' },
    });

  const run = async (environment: Record<string, string>) => {
    const child = spawn(process.execPath, [COMMAND, 'rewrap-secrets'], {
      env: { DATABASE_URL: harness.config.databaseUrl, ...environment },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const [code] = await once(child, 'close');
    return { code, output };
  };

  beforeEach(async () => {
    for (const table of ['secret_version', 'secret', 'secret_key']) {
      await harness.context.db.pool.query(`DELETE FROM ${table}`);
    }
  });

  it('can be interrupted and repeated, and leaves values readable and unchanged', async () => {
    const { build, context, db } = harness;
    const secrets: SecretView[] = [];
    for (let at = 0; at < 5; at++) secrets.push(await build.secret({ value: `value ${at}` }));
    const versions = await db.secretVersion.findMany({ orderBy: { secretId: 'asc' } });

    let left = 2;
    const cut = {
      query: async (text: string, values: unknown[]) => {
        if (text.includes('UPDATE') && left-- === 0) throw new Error('cut off');
        return context.db.pool.query(text, values);
      },
    };
    await expect(rewrapKeys(both(), cut as typeof context.db.pool)).rejects.toThrow('cut off');
    expect(await db.secretKey.count({ where: { masterKeyId: masterKeyId(next) } })).toBe(2);
    for (const [at, secret] of secrets.entries()) {
      expect(await valueBehind(both(), secret)).toEqual({ values: { NAME: `value ${at}` } });
    }

    const counts = await Promise.all([1, 2, 3].map(() => rewrapKeys(both(), context.db.pool)));
    expect(counts.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBe(3);
    const nothing = { rewrapped: 0, left: 0 };
    expect(await rewrapKeys(both(), context.db.pool)).toEqual(nothing);
    const alone = createSecretBox({ current: next, old: null });
    for (const [at, secret] of secrets.entries()) {
      expect(await valueBehind(alone, secret)).toEqual({ values: { NAME: `value ${at}` } });
      expect(await valueBehind(context.secretBox, secret)).toEqual({
        unavailable: expect.stringMatching(
          /^env\.NAME cannot be decrypted: it was stored with another SECRETS_MASTER_KEY.* enter the secret again/,
        ),
      });
    }
    expect(await db.secretVersion.findMany({ orderBy: { secretId: 'asc' } })).toEqual(versions);
  });

  it('reports the keys that were rewrapped and the keys that could not be rewrapped', async () => {
    const secret = await harness.build.secret({ value: 'value' });
    const keys = {
      SECRETS_MASTER_KEY: next.toString('base64'),
      SECRETS_MASTER_KEY_OLD: first().toString('base64'),
    };
    const refused = await run({ SECRETS_MASTER_KEY: 'short' });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('SECRETS_MASTER_KEY: must be 32 bytes in base64');
    expect(refused.output).toContain('SECRETS_MASTER_KEY_OLD');
    const unknown = randomBytes(32).toString('base64');
    const lost = await run({ ...keys, SECRETS_MASTER_KEY_OLD: unknown });
    expect(lost.code).toBe(1);
    expect(lost.output).toContain(
      '1 data keys could not be rewrapped: their master key is neither',
    );
    expect(await run(keys)).toEqual({
      code: 0,
      output: 'wrapped 1 data keys with the master key\n',
    });
    const alone = createSecretBox({ current: next, old: null });
    expect(await valueBehind(alone, secret)).toEqual({ values: { NAME: 'value' } });
  });

  it('need not run after the loss of the master key: secrets can be entered again immediately', async () => {
    const { api, build, context, db } = harness;
    const secret = await build.secret({ value: 'lost' });
    await db.secretKey.updateMany({ data: { masterKeyId: 'lost' } });
    expect(await valueBehind(context.secretBox, secret)).toHaveProperty('unavailable');
    await api.patch(`/api/secrets/${secret.id}`).send({ value: 'again' }).expect(200);
    expect(await valueBehind(context.secretBox, secret)).toEqual({ values: { NAME: 'again' } });
    expect(await db.secretKey.count()).toBe(2);
  });
});
