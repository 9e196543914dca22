import { newId } from '@switchyard/db';
import { unique } from '../../../test/builders';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('POST /api/companies/:companyId/agents', () => {
  const harness = useHarness();
  const create = (companyId: string, body: object) =>
    harness.api.post(`/api/companies/${companyId}/agents`).send(body);

  it('creates an agent with the defaults of the contract', async () => {
    const { id: companyId } = await harness.build.company();
    const { body } = await create(companyId, {
      name: 'Ada',
      adapterType: 'process',
      adapterConfig: { command: 'true' },
    }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      companyId,
      name: 'Ada',
      role: 'engineer',
      title: null,
      reportsTo: null,
      capabilities: null,
      status: 'idle',
      pauseReason: null,
      pausedAt: null,
      budgetMonthlyCents: 0,
      spentMonthlyCents: 0,
      adapterType: 'process',
      adapterConfig: { command: 'true' },
      maxConcurrentRuns: 1,
      wakeOnAssignment: true,
      limitKeys: [],
      lastHeartbeatAt: null,
      createdAt: expect.stringMatching(/T.*\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/T.*\.\d{3}Z$/),
      chainOfCommand: [],
      warnings: [],
    });
    const activity = await harness.db.activity.findMany({ where: { entityId: body.id } });
    expect(activity).toMatchObject([{ action: 'agent.created', actorType: 'user' }]);
  });

  it('enables wakeOnAssignment unless the request disables it', async () => {
    const { id: companyId } = await harness.build.company();
    for (const [given, stored] of [
      [{}, true],
      [{ wakeOnAssignment: true }, true],
      [{ wakeOnAssignment: false }, false],
    ] as const) {
      const fields = { name: unique('Ada'), adapterType: 'scripted', ...given };
      const { body } = await create(companyId, fields).expect(201);
      expect(body.wakeOnAssignment).toBe(stored);
      const revisions = await harness.api.get(`/api/agents/${body.id}/config-revisions`);
      expect(revisions.body).toMatchObject([{ after: { wakeOnAssignment: stored } }]);
    }
  });

  it('stores every writable field', async () => {
    const manager = await harness.build.agent();
    const fields = {
      name: unique('Grace'),
      role: 'ceo',
      title: 'Chief',
      reportsTo: manager.id,
      capabilities: 'everything',
      adapterType: 'http',
      adapterConfig: { url: 'https://example.org/' },
      budgetMonthlyCents: 5_000,
      maxConcurrentRuns: 3,
      wakeOnAssignment: true,
    };
    const { body } = await create(manager.companyId, fields).expect(201);
    expect(body).toMatchObject(fields);
    expect(body.chainOfCommand).toEqual([
      { id: manager.id, name: manager.name, role: manager.role },
    ]);
  });

  it.each(['claude_code', 'codex', 'opencode'])(
    'accepts and stores the readable name %s, and validates its configuration',
    async (adapterType) => {
      const { id } = await harness.build.company();
      const fields = { name: unique('Ada'), adapterType };
      const { body } = await create(id, fields).expect(201);
      expect(body.adapterType).toBe(adapterType);
      const read = await harness.api.get(`/api/agents/${body.id}`).expect(200);
      expect(read.body.adapterType).toBe(adapterType);
      const wrong = { name: unique('Ada'), adapterType, adapterConfig: { typo: 1 } };
      const refused = await create(id, wrong).expect(400);
      expect(refused.body.details[0].path).toEqual(['adapterConfig', 'typo']);
    },
  );

  it.each<[string, object, (string | number)[]]>([
    ['no name', { name: undefined }, ['name']],
    ['a blank name', { name: ' ' }, ['name']],
    ['a name with NUL', { name: 'a\0b' }, ['name']],
    ['a name with half a surrogate pair', { name: '\ud800' }, ['name']],
    ['null as name', { name: null }, ['name']],
    ['no adapter type', { adapterType: undefined }, ['adapterType']],
    ['an unknown adapter type', { adapterType: 'nothing' }, ['adapterType']],
    [
      'an unknown key of a coding agent’s configuration',
      { adapterType: 'model_a_local', adapterConfig: { typo: 1 } },
      ['adapterConfig', 'typo'],
    ],
    ['an upper-case role', { role: 'CEO' }, ['role']],
    ['a negative budget', { budgetMonthlyCents: -1 }, ['budgetMonthlyCents']],
    ['a fraction of a cent', { budgetMonthlyCents: 0.5 }, ['budgetMonthlyCents']],
    ['zero concurrent runs', { maxConcurrentRuns: 0 }, ['maxConcurrentRuns']],
    ['a malformed manager', { reportsTo: 'me' }, ['reportsTo']],
    ['a status', { status: 'idle' }, ['status']],
    ['a spend', { spentMonthlyCents: 0 }, ['spentMonthlyCents']],
    ['a list as configuration', { adapterConfig: [] }, ['adapterConfig']],
    [
      'an unknown key of the configuration',
      { adapterType: 'process', adapterConfig: { command: 'x', typo: 1 } },
      ['adapterConfig', 'typo'],
    ],
    [
      'a reserved variable',
      { adapterType: 'process', adapterConfig: { command: 'x', env: { SERVICE_X: '1' } } },
      ['adapterConfig', 'env', 'SERVICE_X'],
    ],
    [
      'a masked value of a new variable',
      { adapterConfig: { env: { TOKEN: '***' } } },
      ['adapterConfig', 'env', 'TOKEN'],
    ],
    [
      'a masked value of a new header',
      {
        adapterType: 'http',
        adapterConfig: { url: 'https://x.example', headers: { 'X-Key': '***' } },
      },
      ['adapterConfig', 'headers', 'X-Key'],
    ],
  ])('rejects %s with 400, names the field and stores nothing', async (_what, wrong, path) => {
    const { id } = await harness.build.company();
    const before = await everything(harness);
    const { body } = await create(id, { name: 'Ada', adapterType: 'scripted', ...wrong }).expect(
      400,
    );
    expect(body.code).toBe('validation_error');
    expect(body.details.map((problem: { path: unknown }) => problem.path)).toContainEqual(path);
    expect(await everything(harness)).toEqual(before);
  });

  it('rejects a foreign, unknown or terminated manager', async () => {
    const { api, build } = harness;
    const { id } = await build.company();
    const foreign = await build.agent();
    const gone = await build.agent({ companyId: id });
    await api.post(`/api/agents/${gone.id}/terminate`).expect(200);
    const before = await everything(harness);
    const agent = { name: 'Ada', adapterType: 'scripted' };
    const cross = await create(id, { ...agent, reportsTo: foreign.id }).expect(403);
    expect(cross.body).toMatchObject({ code: 'cross_company', details: { field: 'reportsTo' } });
    const unknown = await create(id, { ...agent, reportsTo: newId() }).expect(422);
    expect(unknown.body).toMatchObject({
      code: 'unknown_reference',
      details: { field: 'reportsTo' },
    });
    const terminated = await create(id, { ...agent, reportsTo: gone.id }).expect(422);
    expect(terminated.body).toMatchObject({
      code: 'semantic_error',
      details: { field: 'reportsTo' },
    });
    expect(await everything(harness)).toEqual(before);
  });

  it('rejects a reference to a missing secret, and the error names the variable', async () => {
    const { id } = await harness.build.company();
    const before = await everything(harness);
    const env = { PLAIN: 'x', TOKEN: { type: 'secret_ref', secretId: newId(), version: 'latest' } };
    const { body } = await create(id, {
      name: 'Ada',
      adapterType: 'process',
      adapterConfig: { command: 'true', env },
    }).expect(422);
    expect(body).toMatchObject({
      code: 'unknown_reference',
      details: { field: 'adapterConfig.env.TOKEN' },
    });
    expect(await everything(harness)).toEqual(before);
  });

  it('creates one agent for twenty concurrent requests whose names differ only in letter case', async () => {
    const { id } = await harness.build.company();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        create(id, { name: at % 2 ? 'Turing' : 'TURING', adapterType: 'scripted' }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(19).fill(409)]);
    const lost = answers.filter((answer) => answer.status === 409);
    for (const { body } of lost) {
      expect(body).toMatchObject({ code: 'name_taken', details: { field: 'name' } });
    }
    expect(await harness.db.agent.count({ where: { companyId: id } })).toBe(1);
    expect(await harness.db.agentConfigRevision.count({ where: { companyId: id } })).toBe(1);
  });

  it('accepts the name of a terminated agent, and a name used in another company', async () => {
    const { api, build } = harness;
    const first = await build.agent();
    await api.post(`/api/agents/${first.id}/terminate`).expect(200);
    await create(first.companyId, {
      name: first.name.toUpperCase(),
      adapterType: 'scripted',
    }).expect(201);
    await build.agent({ name: first.name });
  });

  it('returns 403 to agents', async () => {
    const { agent, authorization } = await harness.build.liveRun();
    const { body } = await create(agent.companyId, { name: 'Ada', adapterType: 'scripted' })
      .set('Authorization', authorization)
      .expect(403);
    expect(body.code).toBe('board_only');
    await create(newId(), { name: 'Ada', adapterType: 'scripted' }).expect(404);
  });
});
