import { newId } from '@switchyard/db';
import { SEARCH_TYPES, type SearchResultView, searchText } from '@switchyard/types';
import fc from 'fast-check';
import { useSearch } from '../../../test/searching';
import { walkPages } from '../../../test/walk-pages';

describe('GET /api/companies/:companyId/search', () => {
  const { harness, find, idsOf, comment } = useSearch();
  const marked = (text: string, hits: number[][]) => hits.map(([from, to]) => text.slice(from, to));

  it('finds each type of entity, and returns its type and location', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const issue = await build.issue({
      companyId,
      title: 'Repair the Zeppelin',
      description: 'It leaks',
    });
    const other = await build.issue({
      companyId,
      title: 'Other',
      description: 'About a zeppelin.',
    });
    const said = await comment(other.id, 'Line one\nThe ZEPPELIN is <b>full</b> & ready');
    const document = await api
      .put(`/api/issues/${other.id}/documents/plan`)
      .send({ title: 'Zeppelin plan', body: 'inflate' })
      .expect(201);
    const agent = await build.agent({ companyId, name: 'Zeppelin Pilot', capabilities: 'flies' });
    const project = await build.project({ companyId, name: 'Airfield', description: 'zeppelins' });

    const found = await find(companyId, 'zeppelin');
    const byId = Object.fromEntries(found.map((one) => [one.id, one]));
    const ids = [agent.id, document.body.id, issue.id, project.id, said.id, other.id];
    expect(found.map(({ id }) => id)).toEqual(ids);
    expect(found.map(({ type }) => type)).toEqual([
      'agent',
      'document',
      'issue',
      'project',
      'comment',
      'issue',
    ]);
    const ofOther = { issueId: other.id, identifier: other.identifier, issueStatus: 'backlog' };
    expect(byId[issue.id]).toEqual({
      type: 'issue',
      id: issue.id,
      title: 'Repair the Zeppelin',
      titleHits: [[11, 19]],
      snippet: 'It leaks',
      snippetHits: [],
      issueId: issue.id,
      identifier: issue.identifier,
      issueStatus: 'backlog',
      documentKey: null,
      at: issue.createdAt,
    });
    expect(byId[said.id]).toMatchObject({
      ...ofOther,
      title: 'Other',
      snippet: 'Line one The ZEPPELIN is <b>full</b> & ready',
      snippetHits: [[13, 21]],
      at: said.createdAt,
    });
    expect(byId[document.body.id]).toMatchObject({ ...ofOther, documentKey: 'plan' });
    expect(byId[agent.id]).toMatchObject({ title: 'Zeppelin Pilot', issueId: null });
    expect(byId[project.id]).toMatchObject({ title: 'Airfield', snippetHits: [[0, 9]] });
    for (const type of SEARCH_TYPES) {
      const expected = found.filter((one) => one.type === type);
      expect(await find(companyId, 'zeppelin', `&types=${type}`)).toEqual(expected);
    }
    expect(await idsOf(companyId, 'zeppelin', '&types=agent,project')).toEqual([
      agent.id,
      project.id,
    ]);
  });

  it('omits an entry whose row is missing, and returns the entries after it', async () => {
    const { build, asOwner } = harness;
    const { id: companyId } = await build.company();
    const made: string[] = [];
    for (const title of ['Needle one', 'Needle two', 'Needle three'])
      made.push((await build.issue({ companyId, title })).id);
    expect(await idsOf(companyId, 'needle')).toEqual([...made].reverse());
    await asOwner(
      `UPDATE search_entry SET entity_id = '${newId()}' WHERE entity_id = '${made[1]}'`,
    );
    expect(await idsOf(companyId, 'needle')).toEqual([made[2], made[0]]);
    const path = `/api/companies/${companyId}/search?q=needle`;
    const pages = await walkPages<{ id: string }>(harness, path, 1);
    expect(pages.map(({ id }) => id)).toEqual([made[2], made[0]]);
  });

  it('supports prefixes, phrases, exclusion, `or` and parts of names', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const make = (title: string, description = '') =>
      build.issue({ companyId, title, description }).then(({ id }) => id);
    const path = await make('Crash in src/app-foo.ts', 'foo_bar and https://example.com/a?b=c');
    const street = await make('Über die Straße', 'Größe: Ärger mit ÉCOLE');
    const russian = await make('Привет Мир');
    const login = await make('login page', 'crash after the second login');
    const wide = await make('ＡＰＩ（２）の設定', '＇ＯＫ＇');
    const cases: [string, string[]][] = [
      ['cra', [path, login]],
      ['cra ', []],
      ['crash login', [login]],
      ['"login page"', [login]],
      ['"page login"', []],
      ['crash -login', [path]],
      ['-crash', [russian, street, wide]],
      ['страница or мир', [russian]],
      ['hello or login', [login]],
      ['src/app-foo', [path]],
      ['app-foo.ts', [path]],
      ['app-fo', [path]],
      ['ap-foo', []],
      ...['–', '—', '’', '·', '…'].flatMap((sign): [string, string[]][] => [
        [`app${sign}fo`, [path]],
        [`ap${sign}foo`, []],
      ]),
      ['foo.ts', [path]],
      ['ts foo', [path]],
      ['bar', [path]],
      ['example.com', [path]],
      ['uber', [street]],
      ['STRASSE', [street]],
      ['straße', [street]],
      ['grosse', [street]],
      ['e\u0301cole', [street]],
      ['ПРИВЕТ', [russian]],
      ['при', [russian]],
      ['api 2', [wide]],
      ['ap', [path, wide]],
      ['ＡＰＩ', [wide]],
      ['ｌｏｇｉｎ', [login]],
      ['ok', [wide]],
      ['＇ｏｋ＇', [wide]],
      ['＇', []],
    ];
    for (const [q, expected] of cases) {
      expect([q, (await idsOf(companyId, q)).sort()]).toEqual([q, [...expected].sort()]);
    }
    const [shown] = await find(companyId, 'strasse');
    expect(marked(shown?.title ?? '', shown?.titleHits ?? [])).toEqual(['Straße']);
  });

  it('ranks an exact identifier first, then titles, then other texts, each newest first', async () => {
    const { build } = harness;
    const { id: companyId, issuePrefix } = await build.company();
    const first = await build.issue({ companyId, title: 'one' });
    const mentions = await build.issue({ companyId, title: `after ${first.identifier}` });
    const said = await comment(mentions.id, `see ${first.identifier.toLowerCase()}`);
    const later = await build.issue({ companyId, description: `like ${first.identifier}` });
    for (const q of [first.identifier, first.identifier.toLowerCase()]) {
      expect(await idsOf(companyId, q)).toEqual([first.id, mentions.id, later.id, said.id]);
    }
    expect(await idsOf(companyId, `${issuePrefix}-`)).toEqual(
      expect.arrayContaining([first.id, later.id]),
    );
  });

  it('returns every match once across pages, even with equal times', async () => {
    const { build, db } = harness;
    const { id: companyId } = await build.company();
    const issue = await build.issue({ companyId, title: 'needle' });
    const createdAt = new Date('2026-01-01');
    const rows = Array.from({ length: 25 }, (_, at) => ({
      id: newId(),
      companyId,
      issueNumber: 1_000 + at,
      identifier: `N${companyId.slice(-6)}-${at}`,
      title: at % 3 ? 'needle' : 'hay',
      description: at % 2 ? 'needle' : 'needle needle',
      createdAt,
    }));
    await db.issue.createMany({ data: rows });
    const said = Array.from({ length: 20 }, () => {
      const place = { id: newId(), companyId, issueId: issue.id, createdAt };
      return { ...place, body: 'a needle', authorUserId: 'local-board' };
    });
    await db.issueComment.createMany({ data: said });
    const whole = await find(companyId, 'needle', '&limit=50');
    expect(whole).toHaveLength(46);
    const path = `/api/companies/${companyId}/search?q=needle`;
    for (const limit of [1, 7, 16, 17]) {
      expect(await walkPages<SearchResultView>(harness, path, limit)).toEqual(whole);
    }
    const page = await harness.api.get(`${path}&limit=2`).expect(200);
    const cursor = page.headers['x-next-cursor'];
    for (const other of ['q=hay', 'q=needle&types=issue', 'q=']) {
      const { body } = await harness.api
        .get(`/api/companies/${companyId}/search?${other}&cursor=${cursor}`)
        .expect(400);
      expect(body.details[0].path).toEqual(['cursor']);
    }
  });

  it('finds new titles, texts, revisions and names, but no replaced or deleted versions', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const issue = await build.issue({ companyId, title: 'before', description: 'old' });
    await api.patch(`/api/issues/${issue.id}`).send({ title: 'after' }).expect(200);
    expect(await idsOf(companyId, 'before')).toEqual([]);
    expect(await idsOf(companyId, 'after old')).toEqual([issue.id]);
    await api.patch(`/api/issues/${issue.id}`).send({ description: null }).expect(200);
    expect(await idsOf(companyId, 'old')).toEqual([]);

    const path = `/api/issues/${issue.id}/documents/notes`;
    const { body: first } = await api.put(path).send({ body: 'alpha' }).expect(201);
    const baseRevisionId = first.latestRevisionId;
    await api.put(path).send({ body: 'omega', baseRevisionId }).expect(200);
    expect(await idsOf(companyId, 'alpha')).toEqual([]);
    expect((await find(companyId, 'omega'))[0]).toMatchObject({ id: first.id, snippet: 'omega' });
    await api.delete(path).expect(204);
    expect(await idsOf(companyId, 'omega')).toEqual([]);

    const agent = await build.agent({ companyId, name: 'Grace' });
    await api.patch(`/api/agents/${agent.id}`).send({ name: 'Hopper' }).expect(200);
    expect(await idsOf(companyId, 'grace')).toEqual([]);
    expect(await idsOf(companyId, 'hopper')).toEqual([agent.id]);
    const project = await build.project({ companyId, name: 'Old' });
    await api.patch(`/api/projects/${project.id}`).send({ description: 'renewed' }).expect(200);
    expect(await idsOf(companyId, 'renewed')).toEqual([project.id]);
  });

  it('returns only content of the caller’s company, to agents and to people', async () => {
    const { api, build } = harness;
    const { agent, authorization } = await build.liveRun();
    const own = await build.issue({ companyId: agent.companyId, title: 'walled' });
    const foreign = await build.issue({ title: 'walled' });
    const search = (companyId: string) =>
      api.get(`/api/companies/${companyId}/search?q=walled`).set('Authorization', authorization);
    const { body } = await search(agent.companyId).expect(200);
    expect(body.map(({ id }: { id: string }) => id)).toEqual([own.id]);
    await search(foreign.companyId).expect(403);
    await api.get(`/api/companies/${newId()}/search?q=walled`).expect(404);
    expect(await idsOf(agent.companyId, foreign.identifier)).toEqual([]);
    // The index separates companies by a word that users cannot type.
    const scope = `issue/${foreign.companyId}`;
    expect(await idsOf(agent.companyId, scope)).toEqual([]);
    expect(await idsOf(foreign.companyId, scope)).toEqual([]);
  });

  it('accepts any query text up to the length limit', async () => {
    const { id: companyId } = await harness.build.company();
    await harness.build.issue({ companyId, title: "it's a & b | !c <-> :* ''", description: '\\' });
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(
          '"',
          '-',
          "'",
          '\\',
          '&',
          '|',
          '!',
          ':',
          '*',
          '(',
          ')',
          '<',
          '>',
          ' ',
          'or',
          'a',
          'ß',
          '\u0301',
          '😀',
        ),
        maxLength: 60,
      }),
    );
    const answers = async (q: string) => {
      const isStorable = !q.includes('\0') && q.isWellFormed();
      const isVisible = searchText.safeParse(q).success;
      const list = await harness.api.get(`/api/companies/${companyId}/search`).query({ q });
      const issues = await harness.api.get(`/api/companies/${companyId}/issues`).query({ q });
      expect(list.status).toBe(isStorable ? 200 : 400);
      expect(issues.status).toBe(isVisible ? 200 : 400);
      if (!isStorable) return;
      for (const one of list.body as SearchResultView[]) {
        for (const [from, to] of one.titleHits)
          expect(from < to && to <= one.title.length).toBe(true);
      }
    };
    const property = fc.asyncProperty(
      hostile.filter((q) => q.isWellFormed()),
      answers,
    );
    await fc.assert(property, { numRuns: 150, examples: [['\u000e']] });
  });

  it.each(['', '   ', '!!!', '""', '"', '-', '- -', 'or', 'or or', '-"', '\u0301'])(
    'finds nothing for the text %j without words',
    async (q) => {
      const issue = await harness.build.issue({ title: 'or - "quoted"' });
      expect(await idsOf(issue.companyId, q)).toEqual([]);
    },
  );

  it.each([
    ['q', `q=${'x'.repeat(201)}`],
    ['q', 'q=%00'],
    ['types', 'q=x&types=secret'],
    ['types', 'q=x&types='],
    ['limit', 'q=x&limit=51'],
    ['limit', 'q=x&limit=0'],
    ['cursor', 'q=x&cursor=abc'],
    ['query', 'query=x'],
  ])('rejects an invalid %s in ?%s with 400', async (field, query) => {
    const { id } = await harness.build.company();
    const { body } = await harness.api.get(`/api/companies/${id}/search?${query}`).expect(400);
    expect(body.details[0].path[0]).toBe(field);
  });

  it('accepts texts of the maximum size, and finds words near their beginning', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const letters = Array.from({ length: 66_000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + (at % 20_000), 0x20000 + (at % 40_000)),
    );
    const texts = [
      letters.join(' '),
      'ﷺ'.repeat(190_000),
      'e\u0301'.repeat(90_000),
      'x'.repeat(200_000),
    ];
    for (const description of texts) {
      await build.issue({ companyId, description: description.slice(0, 200_000).toWellFormed() });
    }
    const issue = await build.issue({
      companyId,
      description: `needle ${'hay '.repeat(40_000)} thread`,
    });
    expect(await idsOf(companyId, 'needle')).toEqual([issue.id]);
    expect(await idsOf(companyId, 'thread')).toEqual([]);
    await api.patch(`/api/issues/${issue.id}`).send({ description: 'thread' }).expect(200);
    expect(await idsOf(companyId, 'thread')).toEqual([issue.id]);
  });
});
