import { createHash } from 'node:crypto';
import { newId } from '@switchyard/db';
import type { SecretView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';

describe('secrets', () => {
  const harness = useHarness();
  const pathOf = (companyId: string) => `/api/companies/${companyId}/secrets`;
  const post = (companyId: string, body: object) => harness.api.post(pathOf(companyId)).send(body);
  const patch = (id: string, body: object) => harness.api.patch(`/api/secrets/${id}`).send(body);

  const valuesOf = async ({ id, companyId }: SecretView) => {
    const { db, context } = harness;
    const rows = await db.secretVersion.findMany({
      where: { secretId: id },
      include: { key: true },
      orderBy: { version: 'asc' },
    });
    return rows.map(({ key, ciphertext, version }) =>
      context.secretBox.open(key, { companyId, secretId: id, version }, ciphertext),
    );
  };

  const refuses = async (answer: Promise<{ status: number; body: unknown }>, refusal: object) => {
    const before = await everything(harness);
    expect(await answer).toMatchObject(refusal);
    expect(await everything(harness)).toEqual(before);
  };

  it('never return their value in a response', async () => {
    const { id: companyId } = await harness.build.company();
    const body = { name: 'TOKEN', value: 'first', description: 'for the build' };
    const answer = await post(companyId, body).expect(201);
    const { value: _, ...metadata } = body;
    expect(answer.body).toEqual({
      id: expect.any(String),
      companyId,
      ...metadata,
      latestVersion: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await valuesOf(answer.body)).toEqual(['first']);
    const listed = await harness.api.get(pathOf(companyId)).expect(200);
    const maker = { createdByUserId: 'local-board', createdByName: 'Local board' };
    expect(listed.body).toEqual([{ ...answer.body, ...maker, usedByCount: 0 }]);
  });

  it('get a new version for a new value, but not for changes of other fields', async () => {
    const { build, db } = harness;
    const secret = await build.secret({ value: 'one' });
    const first = await patch(secret.id, { value: 'two' }).expect(200);
    expect(first.body).toMatchObject({ ...secret, latestVersion: 2, updatedAt: expect.anything() });
    await patch(secret.id, { value: 'two' }).expect(200);
    const renamed = { name: 'RENAMED', description: 'now described' };
    const { body } = await patch(secret.id, renamed).expect(200);
    expect(body).toMatchObject({ ...renamed, latestVersion: 3 });
    expect((await patch(secret.id, { description: null }).expect(200)).body.description).toBeNull();
    expect(await valuesOf(secret)).toEqual(['one', 'two', 'two']);
    const activities = await db.activity.findMany({
      where: { entityId: secret.id },
      orderBy: { sequence: 'asc' },
    });
    expect(activities.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'secret.created', details: { name: secret.name } },
      ...[
        { name: secret.name, changed: ['value'], latestVersion: 2 },
        { name: secret.name, changed: ['value'], latestVersion: 3 },
        { name: 'RENAMED', changed: ['name', 'description'], latestVersion: 3 },
        { name: 'RENAMED', changed: ['description'], latestVersion: 3 },
      ].map((details) => ({ action: 'secret.updated', details })),
    ]);
  });

  it('do not change if the new value equals the current one', async () => {
    const secret = await harness.build.secret({ description: 'same' });
    const before = await everything(harness);
    const { name, description } = secret;
    for (const body of [{}, { name, description }]) {
      expect((await patch(secret.id, body).expect(200)).body).toEqual(secret);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('get version numbers without gaps or duplicates under concurrent updates', async () => {
    const secret = await harness.build.secret({ value: '0' });
    const values = Array.from({ length: 12 }, (_, at) => String(at + 1));
    const answers = await Promise.all(values.map((value) => patch(secret.id, { value })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const versions = answers.map(({ body }) => body.latestVersion as number);
    expect(versions.sort((a, b) => a - b)).toEqual(values.map(Number).map((at) => at + 1));
    expect((await valuesOf(secret)).sort()).toEqual(['0', ...values].sort());
  });

  it('share one data key per company, which the first secret creates', async () => {
    const { build, db } = harness;
    const { id: companyId } = await build.company();
    const names = Array.from({ length: 8 }, (_, at) => `KEY_${at}`);
    const answers = await Promise.all(names.map((name) => post(companyId, { name, value: 'v' })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await db.secretKey.count({ where: { companyId } })).toBe(1);
    const other = await build.secret();
    const keys = await db.secretKey.findMany({
      where: { companyId: { in: [companyId, other.companyId] } },
    });
    expect(keys).toHaveLength(2);
  });

  it('have unique names in a company, regardless of letter case', async () => {
    const { build } = harness;
    const secret = await build.secret({ name: 'TOKEN' });
    const { companyId } = secret;
    const taken = { status: 409, body: { code: 'name_taken', details: { field: 'name' } } };
    await refuses(post(companyId, { name: 'TOKEN', value: 'v' }), taken);
    await refuses(post(companyId, { name: 'token', value: 'v' }), taken);
    const other = await build.secret({ companyId, name: 'OTHER' });
    await refuses(patch(other.id, { name: 'TOKEN', value: 'v' }), taken);
    await build.secret({ name: 'TOKEN' });
  });

  it.each([
    ['no name', { name: undefined }, ['name']],
    ['a blank name', { name: ' ' }, ['name']],
    ['no value', { value: undefined }, ['value']],
    ['an empty value', { value: '' }, ['value']],
    ['a value with NUL', { value: 'a\0b' }, ['value']],
    ['half a surrogate pair', { value: '\ud800' }, ['value']],
    ['a number as value', { value: 5 }, ['value']],
    ['null as value', { value: null }, ['value']],
    ['more than 8,192 characters', { value: 'x'.repeat(8_193) }, ['value']],
    ['more than 8,192 bytes', { value: 'ä'.repeat(4_097) }, ['value']],
    ['a number as description', { description: 1 }, ['description']],
    ['an unknown field', { version: 1 }, ['version']],
  ])('POST rejects %s', async (_, wrong, path) => {
    const secret = await harness.build.secret();
    const body = { name: 'TOKEN', value: 'v', ...wrong };
    const refusal = { status: 400, body: { code: 'validation_error', details: [{ path }] } };
    await refuses(post(secret.companyId, body), refusal);
    const isMissing = Object.values(wrong).includes(undefined);
    if (!isMissing) await refuses(patch(secret.id, wrong), refusal);
  });

  it('accept values from one to 8,192 bytes, and store them unchanged', async () => {
    for (const value of [' ', 'x'.repeat(8_192), 'ä'.repeat(4_096), ' two\r\nlines\t']) {
      expect(await valuesOf(await harness.build.secret({ value }))).toEqual([value]);
    }
  });

  it('appear newest first in pages, even while secrets are added', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const names = ['A', 'B', 'C', 'D', 'E'];
    for (const name of names) await build.secret({ companyId, name });
    const seen = await walkPages<SecretView>(harness, pathOf(companyId), 2, (count) =>
      build.secret({ companyId, name: `added ${count}` }),
    );
    expect(seen.map(({ name }) => name)).toEqual([...names].reverse());
  });

  it('cannot be used by agents or other companies, and are read-only in an archived company', async () => {
    const { api, build } = harness;
    const secret = await build.secret();
    const { companyId } = secret;
    const insider = await build.liveRun({ companyId });
    const stranger = await build.liveRun();
    const boardOnly = { status: 403, body: { code: 'board_only' } };
    const elsewhere = { status: 403, body: { code: 'cross_company' } };
    for (const [caller, refusal] of [
      [insider, boardOnly],
      [stranger, elsewhere],
    ] as const) {
      const by = caller.authorization;
      const read = api.get(pathOf(companyId)).set('Authorization', by);
      await refuses(read, refusal);
      await refuses(post(companyId, { name: 'N', value: 'v' }).set('Authorization', by), refusal);
      await refuses(patch(secret.id, { value: 'v' }).set('Authorization', by), refusal);
    }
    const unknown = { status: 404, body: { code: 'not_found' } };
    for (const id of [newId(), 'first']) {
      await refuses(patch(id, { value: 'v' }), unknown);
      await refuses(post(id, { name: 'N', value: 'v' }), unknown);
      await refuses(api.get(pathOf(id)), unknown);
    }
    await api.post(`/api/companies/${companyId}/archive`).expect(200);
    const archived = { status: 409, body: { code: 'company_archived' } };
    await refuses(patch(secret.id, { value: 'v' }), archived);
    await refuses(post(companyId, { name: 'N', value: 'v' }), archived);
    await api.get(pathOf(companyId)).expect(200);
  });

  it('can be created only once per Idempotency-Key, whose record stores only a keyed hash of the body', async () => {
    const { build, db } = harness;
    const { id: companyId } = await build.company();
    const send = (value: string) =>
      post(companyId, { name: 'PIN', value }).set('Idempotency-Key', `pin-${companyId}`);
    const first = await send('1234').expect(201);
    const second = await send('1234').expect(201);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    const other = await send('9999').expect(409);
    expect(other.body.code).toBe('idempotency_conflict');
    const record = await db.idempotencyRecord.findFirstOrThrow({
      where: { key: `pin-${companyId}` },
    });
    const guess = createHash('sha256')
      .update(JSON.stringify({ name: 'PIN', value: '1234' }))
      .digest('hex');
    expect(record.requestHash).toHaveLength(guess.length);
    expect(record.requestHash).not.toBe(guess);
  });
});
