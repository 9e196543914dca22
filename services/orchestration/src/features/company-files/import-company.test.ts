import type { CompanyFile, ImportReport } from '@switchyard/types';
import fc from 'fast-check';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { renderFile } from './file-format';

describe('POST /api/companies/:companyId/import', () => {
  const harness = useHarness();

  const exported = async (companyId: string) => {
    const path = `${harness.url}/api/companies/${companyId}/export?include=issues`;
    const lines = (await (await fetch(path)).text()).trimEnd().split('\n');
    const files = lines.map((line) => JSON.parse(line) as CompanyFile);
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  };
  const importInto = (companyId: string, files: CompanyFile[], options: object = {}) =>
    harness.api.post(`/api/companies/${companyId}/import`).send({ files, ...options });
  const expectRoundTrip = async (companyId: string, secrets: string[] = []) => {
    const files = await exported(companyId);
    const { id } = await harness.build.company();
    for (const name of secrets) await harness.build.secret({ companyId: id, name });
    const { body } = await importInto(id, files).expect(200);
    expect(body).toMatchObject({ applied: true, refused: [] });
    expect(await exported(id)).toEqual(files);
    const again = (await importInto(id, files).expect(200)).body;
    expect(again).toMatchObject({ created: [], changed: [], unchanged: files.length });
    const unchanged = (await importInto(companyId, files, { plan: true }).expect(200)).body;
    expect(unchanged).toMatchObject({ created: [], changed: [], refused: [] });
    return id;
  };
  const file = (path: string, fields: Record<string, unknown>, text: string | null = null) => ({
    path,
    content: renderFile({ fields, text }),
  });

  it('gives an empty company the files of the demo company', async () => {
    const { body: demo } = await harness.api.post('/api/demo-companies').expect(201);
    await expectRoundTrip(demo.id);
  });

  it('keeps secrets by name, workspaces, triggers, documents, comments and blockers', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company({ description: 'All\r\nkinds' });
    const secret = await build.secret({ companyId, name: 'GIT_TOKEN' });
    const credential = { type: 'secret_ref' as const, secretId: secret.id };
    const agent = await build.agent({
      companyId,
      name: 'Ada',
      limitKeys: ['deploy'],
      adapterType: 'process',
      adapterConfig: {
        command: 'node',
        args: Array(3).fill('long: "text"\n'.repeat(2_500)),
        env: { A: credential, B: 'literal' },
      },
    });
    for (let n = 0; n < 60; n++) await build.goal({ companyId, title: 'Same' });
    const project = await build.project({ companyId, targetDate: '2031-02-03' });
    for (const repoUrl of ['https://example.com/a', 'https://example.com/b']) {
      const repoCredential = { ...credential, version: 1 };
      const body = { repoUrl, repoCredential, isPrimary: repoUrl.endsWith('b') };
      await api.post(`/api/projects/${project.id}/workspaces`).send(body).expect(201);
    }
    const work = { companyId, assigneeAgentId: agent.id, projectId: project.id };
    const routine = await build.routine(work);
    await build.trigger(routine.id, { kind: 'schedule', cronExpression: '0 9 * * 1' });
    await build.trigger(routine.id, { kind: 'webhook', signingMode: 'github', label: 'GitHub' });
    const last = await build.issue({ ...work, status: 'done', labels: ['Bug', 'api'] });
    const first = await build.issue({ ...work, status: 'todo', blockedBy: [last.id] });
    await api.patch(`/api/issues/${last.id}`).send({ parentId: first.id }).expect(200);
    await api.put(`/api/issues/${first.id}/documents/plan`).send({ body: '' }).expect(201);
    for (const body of ['One @Ada', '---\ntwo\n---\n']) {
      await api.post(`/api/issues/${first.id}/comments`).send({ body }).expect(201);
    }
    const copy = await expectRoundTrip(companyId, ['GIT_TOKEN']);
    const [copied] = (await api.get(`/api/companies/${copy}/agents`).expect(200)).body;
    expect(copied).toMatchObject({ name: 'Ada', status: 'paused', limitKeys: ['deploy'] });
    const [paused] = (await api.get(`/api/companies/${copy}/routines`).expect(200)).body;
    expect(paused.status).toBe('paused');
    expect((await api.get(`/api/companies/${copy}/heartbeat-runs`).expect(200)).body).toEqual([]);
    const next = await build.issue({ companyId: copy });
    expect(next.issueNumber).toBe(3);
  });

  it('keeps random companies', async () => {
    const text = fc.oneof(
      fc.constantFrom('Same', 'same 2', '目标', '- x: [1', '---', 'null', "'", ' İ ', '12', '#a'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    );
    const title = text.filter((one) => /[\p{L}\p{N}]/u.test(one));
    const prose = fc.option(fc.array(text, { maxLength: 4 }).map((lines) => lines.join('\n')));
    const parent = fc.option(fc.nat());
    const model = fc.record({
      goals: fc.array(fc.record({ title, description: prose, parent }), { maxLength: 5 }),
      projects: fc.array(fc.record({ name: title, description: prose, goal: parent }), {
        maxLength: 3,
      }),
      issues: fc.array(fc.record({ title, description: prose, parent, comment: prose }), {
        maxLength: 4,
      }),
      config: fc.dictionary(fc.constantFrom('a', 'B 1', '1'), fc.jsonValue({ maxDepth: 2 })),
    });
    const { api, build } = harness;
    const pick = (ids: string[], at: number | null) =>
      at === null || ids.length === 0 ? null : (ids[at % ids.length] ?? null);
    await fc.assert(
      fc.asyncProperty(model, async ({ goals, projects, issues, config }) => {
        const { id: companyId } = await build.company();
        const post = async (kind: string, body: object, status = 201): Promise<string | null> => {
          const sent = await api.post(`/api/companies/${companyId}/${kind}`).send(body);
          if (sent.status === 400) return null;
          expect([sent.status, sent.body]).toEqual([status, expect.anything()]);
          return sent.body.id;
        };
        const made = { goals: [] as string[], issues: [] as string[] };
        for (const { title, description, parent } of goals) {
          const parentId = pick(made.goals, parent);
          const id = await post('goals', { title, description, parentId });
          if (id) made.goals.push(id);
        }
        for (const { goal, ...body } of projects) {
          const goalId = pick(made.goals, goal);
          await post('projects', { ...body, goalIds: goalId ? [goalId] : [] });
        }
        const name = 'Ada';
        await post('agents', { name, adapterType: 'scripted', adapterConfig: config });
        for (const { title, description, parent, comment } of issues) {
          const parentId = pick(made.issues, parent);
          const id = await post('issues', { title, description, parentId });
          if (!id) continue;
          made.issues.push(id);
          await api.post(`/api/issues/${id}/comments`).send({ body: comment ?? 'none' });
        }
        await expectRoundTrip(companyId);
      }),
      { numRuns: 15 },
    );
  });

  it('plans a change field by field without changing a row, then applies it', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const agent = await build.agent({ companyId, name: 'Ada' });
    await build.goal({ companyId, title: 'Grow', ownerAgentId: agent.id, description: 'Old' });
    const files = [
      file('goals/grow.md', { status: 'active', owner: null, parent: 'top' }, 'New'),
      file('goals/top.md', { title: 'Top' }),
      file('agents/ada.md', { name: 'Ada' }),
    ];
    const before = await everything(harness);
    const { body: plan } = await importInto(companyId, files, { plan: true }).expect(200);
    expect(plan).toEqual({
      applied: false,
      created: ['goals/top.md'],
      changed: [
        {
          path: 'goals/grow.md',
          changes: [
            { field: 'status', from: 'planned', to: 'active' },
            { field: 'owner', from: 'ada', to: null },
            { field: 'parent', from: null, to: 'top' },
            { field: 'description', from: 'Old', to: 'New' },
          ],
        },
      ],
      unchanged: 1,
      refused: [],
    } satisfies ImportReport);
    expect(await everything(harness)).toEqual(before);
    const { body: report } = await importInto(companyId, files).expect(200);
    expect(report).toEqual({ ...plan, applied: true });
    const { body: none } = await importInto(companyId, files).expect(200);
    expect(none).toMatchObject({ created: [], changed: [], unchanged: 3 });
  });

  it('refuses what the rules of the API refuse, naming each file and field', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    await build.agent({ companyId, name: 'Ada' });
    const config = { command: 'node', env: { KEY: { secret: 'MISSING' } } };
    const files = [
      file('goals/a.md', { title: 'A', parent: 'b' }),
      file('goals/b.md', { title: 'B', parent: 'a' }),
      file('agents/other.md', { name: 'ADA', adapterType: 'scripted' }),
      file('agents/kim.md', { name: 'Kim', adapterType: 'process', adapterConfig: config }),
      file('issues/1.md', { title: 'One', parent: 2 }),
      file('issues/2.md', { title: 'Two', assignee: 'kim' }),
    ];
    const before = await everything(harness);
    const { body: plan } = await importInto(companyId, files, { plan: true }).expect(200);
    const refused = plan.refused.map((one: ImportReport['refused'][0]) => [one.path, one.field]);
    expect(refused).toEqual([
      ['agents/kim.md', 'adapterConfig.env.KEY'],
      ['agents/other.md', 'name'],
      ['goals/a.md', 'parent'],
      ['issues/2.md', null],
      ['issues/1.md', null],
    ]);
    const { body } = await importInto(companyId, files).expect(422);
    expect(body.code).toBe('semantic_error');
    expect(body.details.refused).toEqual(plan.refused);
    expect(await everything(harness)).toEqual(before);
  });

  it('rejects malformed files with 400, naming the file, and changes no row', async () => {
    const { id: companyId } = await harness.build.company();
    const bomb = `a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]`;
    const at = (content: string, path = 'goals/a.md') => [{ path, content }];
    const good = '---\ntitle: A\n---\n';
    const before = await everything(harness);
    for (const [files, named] of [
      [at(good, '../goals/a.md'), '../goals/a.md'],
      [at(good, 'goals/../../a.md'), 'goals/../../a.md'],
      [at(good, 'goals/A/b.md'), 'goals/A/b.md'],
      [at(good, 'goals/a.yaml'), 'goals/a.yaml'],
      [at(good, 'issues/0.md'), 'issues/0.md'],
      [at(good, 'issues/9999999999.md'), 'issues/9999999999.md'],
      [[...at(good), ...at(good)], 'goals/a.md'],
      [at('title: A'), 'goals/a.md'],
      [at(`---\n${bomb}\n---\n`), 'goals/a.md'],
      [at('---\ntitle: "A\n---\n'), 'goals/a.md'],
      [at('---\ntitle: A\ntitle: B\n---\n'), 'goals/a.md'],
      [at('---\ntitle: !!js/function x\n---\n'), 'goals/a.md'],
      [at('---\n- A\n---\n'), 'goals/a.md'],
      [at(`---\n${'['.repeat(100_000)}\n---\n`), 'goals/a.md'],
      [at(`---\n${'? '.repeat(1_000)}\n---\n`), 'goals/a.md'],
      [at(`---\n${'- '.repeat(100_000)}\n---\n`), 'goals/a.md'],
      [at('---\ntitle: A\n__proto__: {}\n---\n'), 'goals/a.md.__proto__'],
      [at('---\ntitle: A\nid: x\n---\n'), 'goals/a.md.id'],
      [at('---\ntitle: 5\n---\n'), 'goals/a.md.title'],
      [at('---\nlevel: task\n---\n'), 'goals/a.md.title'],
      [at('---\ntitle: A\nowner: [x]\n---\n'), 'goals/a.md.owner'],
      [at('---\ntitle: A\nowner: nobody\n---\n'), 'goals/a.md.owner'],
      [at('---\nauthor: null\n---\n\nx\n', 'issues/7/comments/1.md'), 'issues/7/comments/1.md'],
      [at('---\nname: x\n---\ntext\n', 'labels/x.md'), 'labels/x.md'],
      [at('---\nformat: 2\n---\n', 'company.md'), 'company.md.format'],
    ] as const) {
      const { body } = await importInto(companyId, [...files]).expect(400);
      expect(body.code).toBe('validation_error');
      expect(body.details[0].path.join('.')).toBe(named);
    }
    expect(await everything(harness)).toEqual(before);
  });
});
