import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@switchyard/db';
import { useHarness } from '../../../../test/harness';
import { readConfig } from '../../../config';

const REQUIRED = {
  DATABASE_URL: 'postgresql://localhost/x',
  REDIS_URL: 'redis://localhost',
  RUN_TOKEN_SECRET: 'x'.repeat(32),
  SECRETS_MASTER_KEY: Buffer.alloc(32).toString('base64'),
};

describe('GET /api/companies/:companyId/adapters/:adapterType/models', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-list-models-'));
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n[ "$1" = debug ] && echo found || echo acme/one\n', {
    mode: 0o755,
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const harness = useHarness({
    config: {
      models: {
        claudeCode: { configured: [{ id: 'sonnet', label: 'Sonnet' }], command: program },
        codex: { configured: [{ id: 'b', label: 'B' }], command: program },
        openCode: { command: program },
        prices: {},
      },
    },
  });
  const path = (companyId: string, type: string) =>
    `/api/companies/${companyId}/adapters/${type}/models`;

  it('returns the models to the board and to agents of the company', async () => {
    const { api, build } = harness;
    const { agent, authorization } = await build.liveRun();
    const { body: a } = await api.get(path(agent.companyId, 'model_a_local')).expect(200);
    expect(a).toEqual([{ id: 'sonnet', label: 'Sonnet' }]);
    const asked = api.get(path(agent.companyId, 'model_b_local'));
    const { body: b } = await asked.set('Authorization', authorization).expect(200);
    expect(b).toEqual([
      { id: 'b', label: 'B' },
      { id: 'found', label: 'found' },
    ]);
    const { body: c } = await api.get(path(agent.companyId, 'model_c_local')).expect(200);
    expect(c).toEqual([{ id: 'acme/one', label: 'acme/one' }]);
  });

  it.each([
    ['claude_code', 'sonnet'],
    ['codex', 'b'],
    ['opencode', 'acme/one'],
  ])('accepts the readable name %s', async (type, model) => {
    const { id } = await harness.build.company();
    const { body } = await harness.api.get(path(id, type)).expect(200);
    expect(body[0].id).toBe(model);
  });

  it.each(['process', 'http'])('returns an empty list for %s', async (type) => {
    const { id } = await harness.build.company();
    expect((await harness.api.get(path(id, type)).expect(200)).body).toEqual([]);
  });

  it.each(['unknown', 'MODEL_A_LOCAL', 'constructor', '..%2F..', '%00', 'x'.repeat(200)])(
    'returns 404 for the type %s',
    async (type) => {
      const { id } = await harness.build.company();
      const { body } = await harness.api.get(path(id, type)).expect(404);
      expect(body.code).toBe('not_found');
    },
  );

  it('returns 404 for an unknown company, 403 for another company, and 400 for query parameters', async () => {
    const { api, build } = harness;
    const { authorization } = await build.liveRun();
    const other = await build.company();
    await api.get(path(newId(), 'process')).expect(404);
    await api.get(path('nothing', 'process')).expect(404);
    const foreign = await api
      .get(path(other.id, 'model_a_local'))
      .set('Authorization', authorization)
      .expect(403);
    expect(foreign.body.code).toBe('cross_company');
    const { body } = await api.get(`${path(other.id, 'process')}?limit=1`).expect(400);
    expect(body.details[0].path).toEqual(['limit']);
  });
});

describe('readConfig', () => {
  it('returns models of Claude Code and Codex', () => {
    const { models } = readConfig(REQUIRED);
    expect(models.claudeCode.configured.map(({ id }) => id)).toEqual(['sonnet', 'opus', 'haiku']);
    expect(models.codex.command).toBe('codex');
    expect(models.codex.configured.length).toBeGreaterThan(0);
    expect(models.openCode).toEqual({ command: 'opencode' });
  });
});
