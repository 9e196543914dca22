import type { SearchResultView } from '@switchyard/types';
import { useSearch } from '../../../test/searching';
import { foldSearchChanges } from './fold-search-changes';

describe('search entries', () => {
  const { harness, idsOf, comment } = useSearch();

  it.each([
    { lacking: 3_001, count: 'thousands' },
    { lacking: 30_001, count: 'tens of thousands' },
  ])(
    'return the newest matches first, even after $count of newer entries that do not match',
    async ({ lacking }) => {
      const { asOwner, build, context, db } = harness;
      const { id, companyId } = await build.issue();
      await asOwner(`
        INSERT INTO issue_comment (id, company_id, issue_id, body, author_user_id, created_at)
        SELECT gen_random_uuid(), '${companyId}', '${id}', 'needle', 'local-board',
          now() - interval '1 day' + n / 3 * interval '1 second'
        FROM generate_series(1, 3060) n`);
      await foldSearchChanges(context);
      await asOwner(`
        INSERT INTO search_entry (company_id, kind, entity_id, at, words)
        SELECT '${companyId}', 'comment', gen_random_uuid(), now(), array_to_tsvector('{hay,comment/${companyId}}')
        FROM generate_series(1, ${lacking})`);
      const newest = await db.issueComment.findMany({
        where: { companyId },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: 75,
        select: { id: true },
      });
      const path = `/api/companies/${companyId}/search?q=needle`;
      expect(await firstPages(path, { limit: 25, pages: 3 })).toEqual(newest.map((one) => one.id));
    },
  );

  const firstPages = async (path: string, { limit, pages }: { limit: number; pages: number }) => {
    const ids: string[] = [];
    let cursor = '';
    for (let page = 0; page < pages; page++) {
      const { body, headers } = await harness.api
        .get(`${path}&limit=${limit}${cursor}`)
        .expect(200);
      ids.push(...(body as SearchResultView[]).map((one) => one.id));
      cursor = `&cursor=${headers['x-next-cursor']}`;
    }
    return ids;
  };

  describe('outdated search entries', () => {
    const waiting = (companyId: string) => harness.db.searchChange.count({ where: { companyId } });
    const entries = (companyId: string) => harness.db.searchEntry.count({ where: { companyId } });

    it('can be updated by several workers after concurrent writes', async () => {
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

    it('become current during a search, but only in the searched company', async () => {
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

    it('stay outdated if their update fails, and are updated later', async () => {
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

    it('require small batches of updates if their texts are large', async () => {
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

    it('require only one update for several changes of one row', async () => {
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

    it('become current in other companies even if one entry cannot be written', async () => {
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

    it('stay deleted even if an older read of their row ends after the deletion', async () => {
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
      await context.db.pool.query(
        `INSERT INTO search_entry (company_id, kind, entity_id, at, words) VALUES ($1, $2, $3, $4, 'alpha')`,
        [left?.companyId, left?.kind, left?.entityId, left?.at],
      );
      await foldSearchChanges(context);
      expect(await entries(issue.companyId)).toBe(1);
    });
  });
});
