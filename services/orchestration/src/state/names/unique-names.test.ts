import { useHarness } from '../../../test/harness';
import { nameKey } from './unique-names';

const ALIKE: [string, string, string][] = [
  ['a trailing space', 'Zoë', 'Zoë '],
  ['a decomposed accent', 'Zoë', 'Zoe\u0308'],
  ['a joiner between letters', 'Zoë', 'Zo\u200dë'],
  ['different case', 'ÉMILE', 'émile'],
  ['a no-break space', 'QA Team', 'QA\u00a0Team'],
  ['two spaces', 'QA Team', 'QA  Team'],
  ['full-width letters', 'Zoe', 'Ｚｏｅ'],
  ['different case of ß', 'Straße', 'STRASSE'],
  ['a ligature', 'Offline', 'Oﬄine'],
];

describe('names that look alike', () => {
  const harness = useHarness();
  const kinds: [string, (name: string) => [string, object]][] = [
    ['agents', (name) => ['agents', { name, role: 'engineer', adapterType: 'external' }]],
    ['secrets', (name) => ['secrets', { name, value: 'v' }]],
    ['views', (name) => ['views', { name, screen: 'issues', query: 'status=todo' }]],
    ['runners', (name) => ['runners', { name }]],
  ];

  it.each(kinds)('count as one name for %s, even in concurrent requests', async (_, of) => {
    for (const [what, one, two] of ALIKE) {
      const company = await harness.build.company();
      const create = (name: string) => {
        const [path, body] = of(name);
        return harness.api.post(`/api/companies/${company.id}/${path}`).send(body);
      };
      const answers = await Promise.all([create(one), create(two)]);
      const statuses = answers.map(({ status }) => status).sort();
      expect([what, ...statuses]).toEqual([what, 201, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.code).toBe('name_taken');
    }
  });

  it.each(kinds)('cannot be used for %s if they contain invisible characters', async (_, of) => {
    const company = await harness.build.company();
    for (const name of ['Zoë\u200b', 'QA\tTeam', 'QA\nTeam', '\u202eZoë', '\u3164']) {
      const [path, body] = of(name);
      const at = harness.api.post(`/api/companies/${company.id}/${path}`);
      const { body: refused } = await at.send(body).expect(400);
      expect(refused.details).toMatchObject([{ path: ['name'] }]);
    }
  });

  it('find the same agent, and cannot be used for another agent', async () => {
    const { api, build } = harness;
    const zoe = await build.agent({ name: 'Zoë' });
    const other = await build.agent({ companyId: zoe.companyId, name: 'Other' });
    const path = `/api/companies/${zoe.companyId}/agents?name=${encodeURIComponent('ZOE\u0308')}`;
    expect((await api.get(path).expect(200)).body).toMatchObject([{ id: zoe.id, name: 'Zoë' }]);
    await api.patch(`/api/agents/${other.id}`).send({ name: 'zoe\u0308' }).expect(409);
    await api.patch(`/api/agents/${zoe.id}`).send({ name: 'ZOË' }).expect(200);
  });

  it('count as one label', async () => {
    const issue = await harness.build.issue({
      labels: ['Bug', 'bug\u200b', 'ＢＵＧ', 'Café', 'Cafe\u0301'],
    });
    expect(issue.labels).toEqual(['Bug', 'Café']);
  });
});

describe('nameKey', () => {
  it('returns its own results unchanged', () => {
    for (const name of [...ALIKE.flat(), '👨‍👩‍👧 QA', 'ΣΑΣ', 'İstanbul', 'ŉ', 'ﬃ', 'ǅ', 'ᾳ']) {
      expect(nameKey(nameKey(name))).toBe(nameKey(name));
    }
  });
});
