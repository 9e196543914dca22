import { newId } from '@switchyard/db';
import { SEARCH_TYPES, type SearchResultView } from '@switchyard/types';
import fc from 'fast-check';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';
import { backfillSearch } from './backfill-search';
import { foldSearchChanges } from './fold-search-changes';

describe('GET /api/companies/:companyId/search', () => {
  const harness = useHarness();

  const find = async (companyId: string, q: string, more = ''): Promise<SearchResultView[]> => {
    const path = `/api/companies/${companyId}/search?q=${encodeURIComponent(q)}${more}`;
    return (await harness.api.get(path).expect(200)).body;
  };
  const idsOf = async (companyId: string, q: string, more = '') =>
    (await find(companyId, q, more)).map(({ id }) => id);
  const comment = async (issueId: string, body: string) =>
    (await harness.api.post(`/api/issues/${issueId}/comments`).send({ body }).expect(201)).body;
  const marked = (text: string, hits: number[][]) => hits.map(([from, to]) => text.slice(from, to));

  it('finds each type, and says what it is and where', async () => {
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

  it('reads words as they are typed: beginnings, phrases, without, or, parts of names', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const make = (title: string, description = '') =>
      build.issue({ companyId, title, description }).then(({ id }) => id);
    const path = await make('Crash in src/app-foo.ts', 'foo_bar and https://example.com/a?b=c');
    const street = await make('Über die Straße', 'Größe: Ärger mit ÉCOLE');
    const russian = await make('Привет Мир');
    const login = await make('login page', 'crash after the second login');
    const cases: [string, string[]][] = [
      ['cra', [path, login]],
      ['cra ', []],
      ['crash login', [login]],
      ['"login page"', [login]],
      ['"page login"', []],
      ['crash -login', [path]],
      ['-crash', [russian, street]],
      ['страница or мир', [russian]],
      ['hello or login', [login]],
      ['src/app-foo', [path]],
      ['app-foo.ts', [path]],
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
    ];
    for (const [q, expected] of cases) {
      expect([q, (await idsOf(companyId, q)).sort()]).toEqual([q, [...expected].sort()]);
    }
    const [shown] = await find(companyId, 'strasse');
    expect(marked(shown?.title ?? '', shown?.titleHits ?? [])).toEqual(['Straße']);
  });

  it('puts the issue whose identifier was typed first, then titles, then texts, the newest first', async () => {
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

  it('is paged without a gap, whatever is in titles and texts, though times are equal', async () => {
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

  it('follows what is written: new titles, texts, revisions, names, and what is deleted', async () => {
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

  it('shows a company its own alone, to agents and people alike', async () => {
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
    // What an identifier of another company would find is that company's alone.
    expect(await idsOf(agent.companyId, foreign.identifier)).toEqual([]);
    // The word by which the index keeps companies apart can be typed by nobody.
    const scope = `issue/${foreign.companyId}`;
    expect(await idsOf(agent.companyId, scope)).toEqual([]);
    expect(await idsOf(foreign.companyId, scope)).toEqual([]);
  });

  it('takes any text that is not too long', async () => {
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
      const list = await harness.api.get(`/api/companies/${companyId}/search`).query({ q });
      const issues = await harness.api.get(`/api/companies/${companyId}/issues`).query({ q });
      expect(list.status).toBe(isStorable ? 200 : 400);
      expect(issues.status).toBe(isStorable && q.trim() !== '' ? 200 : 400);
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
    await fc.assert(property, { numRuns: 150 });
  }, 60_000);

  it.each(['', '   ', '!!!', '""', '"', '-', '- -', 'or', 'or or', '-"', '\u0301'])(
    'finds nothing for %j, which has no word',
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
  ])('refuses %s in ?%s with 400', async (field, query) => {
    const { id } = await harness.build.company();
    const { body } = await harness.api.get(`/api/companies/${id}/search?${query}`).expect(400);
    expect(body.details[0].path[0]).toBe(field);
  });

  it('takes the largest texts there are, also those made up of words alone', async () => {
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
    // What comes behind the bound is not searched.
    expect(await idsOf(companyId, 'thread')).toEqual([]);
    await api.patch(`/api/issues/${issue.id}`).send({ description: 'thread' }).expect(200);
    expect(await idsOf(companyId, 'thread')).toEqual([issue.id]);
  });

  it('enters what was written before there were entries, once, and nothing that is newer', async () => {
    const { build, context, db } = harness;
    const { id: companyId } = await build.company();
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) => build.issue({ companyId, title: `ancient ${at}` })),
    );
    const said = await comment(made[0]?.id ?? '', 'ancient words');
    const all = await idsOf(companyId, 'ancient', '&limit=50');
    expect(all).toHaveLength(13);
    // As the migration finds a database of the release before.
    await db.searchEntry.deleteMany({ where: { companyId } });
    await db.searchBackfill.deleteMany();
    const nil = '00000000-0000-0000-0000-000000000000';
    await db.searchBackfill.createMany({
      data: SEARCH_TYPES.map((kind) => ({ kind, afterId: nil })),
    });
    await harness.api.patch(`/api/issues/${made[1]?.id}`).send({ title: 'modern' }).expect(200);
    await Promise.all([backfillSearch(context), backfillSearch(context), backfillSearch(context)]);
    await backfillSearch(context);
    expect(await db.searchBackfill.count()).toBe(0);
    expect(await idsOf(companyId, 'ancient', '&limit=50')).toEqual(
      all.filter((id) => id !== made[1]?.id),
    );
    expect(await idsOf(companyId, 'ancient words')).toEqual([said.id]);
    expect(await idsOf(companyId, 'modern')).toEqual([made[1]?.id]);
  });

  describe('entries that are out of date', () => {
    const waiting = (companyId: string) => harness.db.searchChange.count({ where: { companyId } });
    const entries = (companyId: string) => harness.db.searchEntry.count({ where: { companyId } });

    it('are left to workers by who writes, whichever do it at the same time', async () => {
      const { build, context } = harness;
      const { id: companyId } = await build.company();
      const issues = await Promise.all(
        Array.from({ length: 20 }, () => build.issue({ companyId, title: 'needle' })),
      );
      await Promise.all(issues.map(({ id }) => comment(id, 'needle')));
      expect([await waiting(companyId), await entries(companyId)]).toEqual([40, 0]);
      await Promise.all(Array.from({ length: 4 }, () => foldSearchChanges(context)));
      expect([await waiting(companyId), await entries(companyId)]).toEqual([0, 40]);
      await foldSearchChanges(context);
      expect(await idsOf(companyId, 'needle', '&limit=50')).toHaveLength(40);
    });

    it('are brought up to date by searches, of their own company alone', async () => {
      const { build } = harness;
      const [own, foreign] = [await build.issue({ title: 'thread' }), await build.issue()];
      const searches = Array.from({ length: 5 }, () => idsOf(own.companyId, 'thread'));
      expect(await Promise.all(searches)).toEqual(Array(5).fill([own.id]));
      expect([await waiting(own.companyId), await waiting(foreign.companyId)]).toEqual([0, 1]);
      const other = await build.issue({ companyId: own.companyId, title: 'thread' });
      const path = `/api/companies/${own.companyId}/issues?q=thread&sort=created`;
      const { body } = await harness.api.get(path).expect(200);
      expect(body.map(({ id }: { id: string }) => id).sort()).toEqual([own.id, other.id].sort());
    });

    it('stay out of date when what would change them fails, and are found later', async () => {
      const { build, context } = harness;
      const { id, companyId } = await build.issue({ title: 'thread' });
      const failing = `CREATE FUNCTION fail_entry() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'no space'; END $$;
        CREATE TRIGGER fail_entry BEFORE INSERT ON search_entry FOR EACH ROW EXECUTE FUNCTION fail_entry()`;
      await harness.asOwner(failing);
      try {
        await expect(foldSearchChanges(context)).rejects.toThrow('no space');
        expect(await waiting(companyId)).toBe(1);
      } finally {
        await harness.asOwner('DROP FUNCTION fail_entry CASCADE');
      }
      await foldSearchChanges(context);
      expect(await idsOf(companyId, 'thread')).toEqual([id]);
    });

    const triggerOnEntries = async (declared: string, body: string, work: () => Promise<void>) => {
      await harness.asOwner(`
        CREATE FUNCTION watch_entries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
        CREATE TRIGGER watch_entries ${declared} EXECUTE FUNCTION watch_entries()`);
      try {
        await work();
      } finally {
        await harness.asOwner('DROP FUNCTION watch_entries CASCADE');
      }
    };

    it('of large texts are few at a time, which takes no longer than many small ones', async () => {
      const { build, context } = harness;
      const issue = await build.issue();
      await harness.asOwner(`
        INSERT INTO issue_comment (id, company_id, issue_id, body, author_user_id)
        SELECT gen_random_uuid(), '${issue.companyId}', '${issue.id}', repeat('needle ', 14000), 'local-board'
        FROM generate_series(1, 50)`);
      const tooMany = `IF (SELECT count(*) FROM made) > 20 THEN RAISE 'too many'; END IF; RETURN NULL;`;
      const declared =
        'AFTER INSERT ON search_entry REFERENCING NEW TABLE AS made FOR EACH STATEMENT';
      await triggerOnEntries(declared, tooMany, () => foldSearchChanges(context));
      expect([await waiting(issue.companyId), await entries(issue.companyId)]).toEqual([0, 51]);
    });

    it('of large texts that were written before there were entries are few at a time too', async () => {
      const { build, context, db } = harness;
      const issue = await build.issue();
      await harness.asOwner(`
        INSERT INTO issue_comment (id, company_id, issue_id, body, author_user_id)
        SELECT gen_random_uuid(), '${issue.companyId}', '${issue.id}', repeat('needle ', 14000), 'local-board'
        FROM generate_series(1, 50);
        DELETE FROM search_change`);
      await db.searchBackfill.create({
        data: { kind: 'comment', afterId: '00000000-0000-0000-0000-000000000000' },
      });
      const tooMany = `IF (SELECT count(*) FROM made) > 20 THEN RAISE 'too many'; END IF; RETURN NULL;`;
      const declared =
        'AFTER INSERT ON search_entry REFERENCING NEW TABLE AS made FOR EACH STATEMENT';
      await triggerOnEntries(declared, tooMany, async () => {
        while ((await db.searchBackfill.count()) > 0) await backfillSearch(context);
      });
      expect(await entries(issue.companyId)).toBe(50);
    });

    it('of one row are one text, however often it was changed', async () => {
      const { api, build, context } = harness;
      const issue = await build.issue({ description: 'needle '.repeat(14_000) });
      const small = await build.issue({ companyId: issue.companyId });
      for (const title of Array.from({ length: 30 }, (_, at) => `title ${at}`)) {
        await api.patch(`/api/issues/${issue.id}`).send({ title }).expect(200);
      }
      await api.patch(`/api/issues/${small.id}`).send({ title: 'last' }).expect(200);
      const declared = 'BEFORE UPDATE ON search_entry FOR EACH ROW';
      await triggerOnEntries(declared, `RAISE 'twice';`, () => foldSearchChanges(context));
      expect([await waiting(issue.companyId), await entries(issue.companyId)]).toEqual([0, 2]);
    });

    it('that cannot be entered hold up no other company', async () => {
      const { build, context } = harness;
      const issues = [];
      for (let at = 0; at < 9; at++) issues.push(await build.issue());
      const [failing, ...others] = issues;
      const body = `IF NEW.company_id = '${failing?.companyId}' THEN RAISE 'no space'; END IF; RETURN NEW;`;
      await triggerOnEntries('BEFORE INSERT ON search_entry FOR EACH ROW', body, async () => {
        await expect(foldSearchChanges(context)).rejects.toThrow('no space');
        for (const { companyId } of others) expect(await waiting(companyId)).toBe(0);
        expect(await waiting(failing?.companyId ?? '')).toBe(1);
      });
      await foldSearchChanges(context);
    });

    it('are not brought back by who still saw a row that is deleted', async () => {
      const { api, build, context } = harness;
      const issue = await build.issue();
      const path = `/api/issues/${issue.id}/documents/notes`;
      await api.put(path).send({ body: 'alpha' }).expect(201);
      await foldSearchChanges(context);
      const [left] = await harness.db.searchEntry.findMany({
        where: { companyId: issue.companyId, kind: 'document' },
        select: { companyId: true, kind: true, entityId: true, at: true },
      });
      await api.delete(path).expect(204);
      // As it would write that had read the document before.
      await context.db.pool.query(
        `INSERT INTO search_entry (company_id, kind, entity_id, at, words) VALUES ($1, $2, $3, $4, 'alpha')`,
        [left?.companyId, left?.kind, left?.entityId, left?.at],
      );
      await foldSearchChanges(context);
      expect(await entries(issue.companyId)).toBe(1);
    });
  });
});
