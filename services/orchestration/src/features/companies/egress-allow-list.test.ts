import type { CompanyView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('egressAllowList', () => {
  const harness = useHarness();
  const patch = (id: string, egressAllowList: unknown) =>
    harness.api.patch(`/api/companies/${id}`).send({ egressAllowList });

  it('starts as null, accepts a list, an empty list and null, and has each change recorded', async () => {
    const { id } = await harness.build.company();
    const lists = [['example.org', '*.example.net', '10.0.0.7', 'git'], ['example.org'], [], null];
    for (const list of lists) {
      const { body } = await patch(id, list).expect(200);
      expect(body.egressAllowList).toEqual(list);
      const before = await everything(harness);
      await patch(id, list).expect(200);
      expect(await everything(harness)).toEqual(before);
      expect((await harness.api.get(`/api/companies/${id}`).expect(200)).body).toEqual(body);
    }
    const listed = await harness.api.get('/api/companies?limit=500').expect(200);
    const [found] = listed.body.filter((company: CompanyView) => company.id === id);
    expect(found.egressAllowList).toBeNull();
    const activity = await harness.db.activity.findMany({
      where: { companyId: id, action: 'company.updated' },
    });
    const changed = { changed: ['egressAllowList'] };
    expect(activity.map(({ details }) => details)).toEqual(lists.map(() => changed));
  });

  it.each<[string, unknown, (string | number)[]]>([
    ['a string', 'example.org', []],
    ['a number', [5], [0]],
    ['an empty string', ['example.org', ''], [1]],
    ['a scheme', ['https://example.org'], [0]],
    ['a port', ['example.org:443'], [0]],
    ['a path', ['example.org/x'], [0]],
    ['a user', ['user@example.org'], [0]],
    ['capitals', ['Example.org'], [0]],
    ['a name in another script', ['exämple.org'], [0]],
    ['a trailing dot', ['example.org.'], [0]],
    ['two consecutive dots', ['example..org'], [0]],
    ['only a wildcard', ['*'], [0]],
    ['a wildcard within a name', ['a.*.example.org'], [0]],
    ['a wildcard within a label', ['*example.org'], [0]],
    ['two wildcards', ['*.*.example.org'], [0]],
    ['a space', [' example.org'], [0]],
    ['a line break', ['example.org\n'], [0]],
    ['NUL', ['example.org\0'], [0]],
    ['IPv6', ['::1'], [0]],
    ['a label that is too long', [`${'a'.repeat(64)}.org`], [0]],
    ['a name that is too long', [`${'a.'.repeat(150)}org`], [0]],
    ['a repeated host', ['example.org', 'example.org'], []],
    ['too many hosts', Array.from({ length: 201 }, (_, at) => `a${at}.org`), []],
  ])('rejects %s with 400, and the error names the entry', async (_what, list, path) => {
    const { id } = await harness.build.company();
    const before = await everything(harness);
    const { body } = await patch(id, list).expect(400);
    expect(body.details[0].path).toEqual(['egressAllowList', ...path]);
    expect(await everything(harness)).toEqual(before);
  });

  it('cannot be set by agents, or in the request that creates the company', async () => {
    const body = { name: 'x', egressAllowList: ['example.org'] };
    await harness.api.post('/api/companies').send(body).expect(400);
    const { agent, authorization } = await harness.build.liveRun();
    const path = `/api/companies/${agent.companyId}`;
    const refused = await harness.api
      .patch(path)
      .set('Authorization', authorization)
      .send({ egressAllowList: null })
      .expect(403);
    expect(refused.body.code).toBe('board_only');
    const seen = await harness.api.get(path).set('Authorization', authorization).expect(200);
    expect(seen.body.egressAllowList).toBeNull();
  });

  it('contains exactly one of two lists that are written concurrently', async () => {
    const { id } = await harness.build.company();
    const lists = [['a.example'], ['b.example']];
    const answers = await Promise.all(lists.map((list) => patch(id, list)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await harness.api.get(`/api/companies/${id}`).expect(200);
    expect(lists).toContainEqual(body.egressAllowList);
  });
});

describe('egressAllowList in authenticated mode', () => {
  const harness = useAuthenticatedHarness();

  it('can be written by owners, and cannot be read by other companies', async () => {
    const { id } = await harness.build.company();
    const path = `/api/companies/${id}`;
    const egressAllowList = ['example.org'];
    for (const role of ['viewer', 'operator'] as const) {
      const someone = harness.as(await harness.operator(id, role));
      const refused = await someone.patch(path).send({ egressAllowList }).expect(403);
      expect(refused.body.code).toBe('forbidden');
      expect((await someone.get(path).expect(200)).body.egressAllowList).toBeNull();
    }
    const stranger = harness.as(
      await harness.operator((await harness.build.company()).id, 'owner'),
    );
    const foreign = await stranger.patch(path).send({ egressAllowList }).expect(403);
    expect(foreign.body.code).toBe('cross_company');
    await stranger.get(path).expect(403);
    const owner = harness.as(await harness.operator(id, 'owner'));
    const { body } = await owner.patch(path).send({ egressAllowList }).expect(200);
    expect(body.egressAllowList).toEqual(egressAllowList);
  });
});
