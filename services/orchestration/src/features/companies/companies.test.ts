import { newId } from '@switchyard/db';
import type { CompanyView } from '@switchyard/types';
import { unique } from '../../../test/builders';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';
import { issuePrefix } from '../../state/companies/found-company';

describe('company routes', () => {
  const harness = useHarness();
  const get = async (id: string) =>
    (await harness.api.get(`/api/companies/${id}`).expect(200)).body;
  const patch = (id: string, body: object) => harness.api.patch(`/api/companies/${id}`).send(body);

  it('create a company with the defaults of the contract', async () => {
    const { body } = await harness.api
      .post('/api/companies')
      .send({ name: 'Acme Robotics' })
      .expect(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Acme Robotics',
      description: null,
      status: 'active',
      issuePrefix: 'ACM',
      logoAssetId: null,
      logoUrl: null,
      budgetMonthlyCents: 0,
      spentMonthlyCents: 0,
      egressAllowList: null,
      runWeight: 1,
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(await get(body.id)).toEqual(body);
    const activity = await harness.db.activity.findMany({ where: { companyId: body.id } });
    expect(activity).toMatchObject([{ action: 'company.created', actorId: 'local-board' }]);
  });

  it.each<[string, unknown, string[]]>([
    ['no name', { description: 'x' }, ['name']],
    ['an empty name', { name: '' }, ['name']],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, ['name']],
    ['NUL in the description', { name: 'x', description: '\0' }, ['description']],
    ['a status', { name: 'x', status: 'active' }, ['status']],
    ['a prefix', { name: 'x', issuePrefix: 'XXX' }, ['issuePrefix']],
    [
      'a budget that is not an exact integer',
      { name: 'x', budgetMonthlyCents: 1e300 },
      ['budgetMonthlyCents'],
    ],
    ['a list', [], []],
    ['a number', 5, []],
    ['null', null, []],
  ])('reject %s with 400', async (_what, body, path) => {
    const before = await everything(harness);
    const answer = await harness.api
      .post('/api/companies')
      .set('Content-Type', 'application/json')
      .send(JSON.stringify(body))
      .expect(400);
    expect(answer.body).toMatchObject({ code: 'validation_error', requestId: expect.any(String) });
    expect(answer.body.details[0].path).toEqual(path);
    expect(await everything(harness)).toEqual(before);
  });

  it('reject malformed JSON, an unsupported media type and an oversized body', async () => {
    const post = (type: string, body: string) =>
      harness.api.post('/api/companies').set('Content-Type', type).send(body);
    expect((await post('application/json', '{"name":').expect(400)).body.code).toBe(
      'validation_error',
    );
    expect((await post('text/plain', 'x').expect(415)).body.details.allowed).toEqual([
      'application/json',
    ]);
    const large = await post(
      'application/json',
      JSON.stringify({ name: 'x'.repeat(3_000_000) }),
    ).expect(413);
    expect(large.body.details.limitBytes).toBe(2 * 1024 * 1024);
  });

  it('accept equal names, even in concurrent requests, and assign unique prefixes', async () => {
    const name = 'Zebra Quartz';
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.api.post('/api/companies').send({ name })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    const prefixes = answers.map((answer) => answer.body.issuePrefix).sort();
    const expected = Array.from({ length: 20 }, (_, at) => issuePrefix(name, at)).sort();
    expect(prefixes).toEqual(expected);
  });

  it.each([
    ['Acme', 'ACM'],
    ['IO', 'IO'],
    ['Über Öl', 'UBR'],
    ['数学', 'CO'],
    ['x'.repeat(200), 'XXX'],
    ['Aeiou', 'AEI'],
  ])('turn the name %s into the issue prefix %s', (name, prefix) => {
    expect(issuePrefix(name, 0)).toBe(prefix);
    expect(issuePrefix(name, 1)).toBe(`${prefix}2`);
  });

  it('leave absent fields unchanged, clear null fields, and record no change for equal values', async () => {
    const company = await harness.build.company({ description: 'first', budgetMonthlyCents: 5 });
    const { body } = await patch(company.id, { description: null }).expect(200);
    expect(body).toMatchObject({ name: company.name, description: null, budgetMonthlyCents: 5 });
    const before = await everything(harness);
    await patch(company.id, {}).expect(200);
    await patch(company.id, { description: null, status: 'active', budgetMonthlyCents: 5 }).expect(
      200,
    );
    expect(await everything(harness)).toEqual(before);
    const wrong: [object, string][] = [
      [{ name: null }, 'name'],
      [{ status: 'archived' }, 'status'],
      [{ issuePrefix: 'XXX' }, 'issuePrefix'],
      [{ spentMonthlyCents: 0 }, 'spentMonthlyCents'],
      [{ logoAssetId: 'x' }, 'logoAssetId'],
      [{ runWeight: 0 }, 'runWeight'],
      [{ runWeight: 101 }, 'runWeight'],
      [{ runWeight: 1.5 }, 'runWeight'],
      [{ runWeight: '2' }, 'runWeight'],
      [{ runWeight: null }, 'runWeight'],
    ];
    for (const [change, field] of wrong) {
      const refused = await patch(company.id, { description: 'no', ...change }).expect(400);
      expect(refused.body.details[0].path).toEqual([field]);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('reject a logo that does not exist or belongs to another company', async () => {
    const { build, db } = harness;
    const company = await build.company();
    const other = await build.company();
    const asset = { storageKey: newId(), contentType: 'image/png', byteSize: 1, sha256: 'x' };
    const expiresAt = new Date(Date.now() + 3_600_000);
    const data = { id: newId(), companyId: other.id, expiresAt, ...asset };
    const { id } = await db.asset.create({ data });
    const foreign = await patch(company.id, { logoAssetId: id }).expect(403);
    expect(foreign.body).toMatchObject({
      code: 'cross_company',
      details: { field: 'logoAssetId' },
    });
    const unknown = await patch(company.id, { logoAssetId: newId() }).expect(422);
    expect(unknown.body).toMatchObject({
      code: 'unknown_reference',
      details: { field: 'logoAssetId' },
    });
    const own = await patch(other.id, { logoAssetId: id }).expect(200);
    expect(own.body.logoUrl).toBe(`/api/assets/${id}/content`);
  });

  it('cancel waiting runs, end running runs and block new runs when the company is paused', async () => {
    const { api, build, db, drain } = harness;
    const { agent, id: liveId } = await build.liveRun();
    const waiting = await build.queuedRun(agent.id);
    expect((await patch(agent.companyId, { status: 'paused' }).expect(200)).body.status).toBe(
      'paused',
    );
    const cancelled = { status: 'cancelled', errorCode: 'company_paused' };
    expect(await db.heartbeatRun.findUniqueOrThrow({ where: { id: waiting.id } })).toMatchObject(
      cancelled,
    );
    const live = await db.heartbeatRun.findUniqueOrThrow({ where: { id: liveId } });
    expect(live).toMatchObject({ status: 'running', cancelReason: 'company_paused' });
    const refused = await api.post(`/api/agents/${agent.id}/heartbeat/invoke`).expect(409);
    expect(refused.body.details.reason).toBe('company_paused');
    await build.issue({ companyId: agent.companyId });
    await patch(agent.companyId, { status: 'active' }).expect(200);
    await drain();
    expect(await db.heartbeatRun.findUniqueOrThrow({ where: { id: waiting.id } })).toMatchObject(
      cancelled,
    );
    await api.post(`/api/agents/${agent.id}/heartbeat/invoke`).expect(202);
  });

  it('hide an archived company from the list, allow reads, and reject writes', async () => {
    const { api, build, db } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const issue = await build.issue({ companyId });
    const waiting = await build.queuedRun(agent.id);
    const key = await build.apiKey(agent.id);
    const archived = await api.post(`/api/companies/${companyId}/archive`).expect(200);
    expect(archived.body.status).toBe('archived');
    expect((await db.heartbeatRun.findUniqueOrThrow({ where: { id: waiting.id } })).errorCode).toBe(
      'company_archived',
    );
    const before = await everything(harness);
    expect((await api.post(`/api/companies/${companyId}/archive`).expect(200)).body).toEqual(
      archived.body,
    );

    for (const path of [
      `companies/${companyId}`,
      `companies/${companyId}/issues`,
      `issues/${issue.id}`,
      `agents/${agent.id}`,
    ]) {
      await api.get(`/api/${path}`).expect(200);
    }
    const writes = [
      patch(companyId, { status: 'active' }),
      patch(companyId, { name: 'x' }),
      api.post(`/api/companies/${companyId}/issues`).send({ title: 'x' }),
      api.post(`/api/companies/${companyId}/agents`).send({ name: 'x', adapterType: 'scripted' }),
      api.patch(`/api/issues/${issue.id}`).send({ title: 'x' }),
      api.post(`/api/issues/${issue.id}/comments`).send({ body: 'x' }),
      api
        .post(`/api/issues/${issue.id}/checkout`)
        .send({ agentId: agent.id, expectedStatuses: ['backlog'] }),
      api.post(`/api/issues/${issue.id}/release`),
      api.post(`/api/agents/${agent.id}/heartbeat/invoke`),
    ];
    for (const write of writes)
      expect((await write.expect(409)).body.code).toBe('company_archived');
    expect(await everything(harness)).toEqual(before);

    const ids = async (query: string, credential?: string) => {
      const asked = api.get(`/api/companies?limit=500${query}`);
      const answer = await (credential ? asked.set('Authorization', credential) : asked).expect(
        200,
      );
      return answer.body.map((company: CompanyView) => company.id);
    };
    expect(await ids('')).not.toContain(companyId);
    expect(await ids('&includeArchived=false')).not.toContain(companyId);
    expect(await ids('&includeArchived=true')).toContain(companyId);
    expect(await ids('&includeArchived=true', key)).toEqual([companyId]);
    expect(await ids('', key)).toEqual([]);
    await api.get('/api/companies?includeArchived=maybe').expect(400);
  });

  it('keep the status archived if an update and the archive request are concurrent', async () => {
    for (let round = 0; round < 10; round++) {
      const company = await harness.build.company();
      await Promise.all([
        harness.api.post(`/api/companies/${company.id}/archive`),
        patch(company.id, { status: 'paused' }),
        patch(company.id, { status: 'active', name: unique('x') }),
      ]);
      expect((await get(company.id)).status).toBe('archived');
    }
  });

  it('list companies newest first, and repeat none while companies are added', async () => {
    const made: string[] = [];
    for (let at = 0; at < 7; at++) made.unshift((await harness.build.company()).id);
    const seen = await walkPages<CompanyView>(harness, '/api/companies', 3, (count) =>
      count < 30 ? harness.build.company() : Promise.resolve(),
    );
    const ids = seen.map((company) => company.id);
    expect(ids.slice(0, 7)).toEqual(made);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('let an agent read only its own company, and let it change no company', async () => {
    const { api, build } = harness;
    const { agent, authorization } = await build.liveRun();
    const other = await build.company();
    const as = (request: ReturnType<typeof api.get>) => request.set('Authorization', authorization);
    expect(
      (await as(api.get('/api/companies')).expect(200)).body.map((row: CompanyView) => row.id),
    ).toEqual([agent.companyId]);
    await as(api.get(`/api/companies/${agent.companyId}`)).expect(200);
    const before = await everything(harness);
    expect((await as(api.get(`/api/companies/${other.id}`)).expect(403)).body.code).toBe(
      'cross_company',
    );
    expect((await as(api.post(`/api/companies/${other.id}/archive`)).expect(403)).body.code).toBe(
      'cross_company',
    );
    for (const request of [
      api.post('/api/companies').send({ name: 'x' }),
      patch(agent.companyId, { name: 'x' }),
      api.post(`/api/companies/${agent.companyId}/archive`),
    ]) {
      expect((await as(request).expect(403)).body.code).toBe('board_only');
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('return 404 for unknown and malformed ids', async () => {
    for (const id of [newId(), 'x', '%27']) {
      await harness.api.get(`/api/companies/${id}`).expect(404);
      await patch(id, { name: 'x' }).expect(404);
      await harness.api.post(`/api/companies/${id}/archive`).expect(404);
    }
  });
});
