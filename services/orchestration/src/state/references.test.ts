import { newId } from '@switchyard/db';
import { everything } from '../../test/everything';
import { useHarness } from '../../test/harness';
import { buildSide, fill, type Ids, type Side } from '../../test/world';

type Case = [
  method: 'post' | 'patch',
  path: string,
  field: string,
  names: keyof Ids,
  rest?: object,
];

const REFERENCES: Case[] = [
  ['post', '/api/companies/:companyId/goals', 'parentId', 'goalId', { title: 'x' }],
  ['post', '/api/companies/:companyId/goals', 'ownerAgentId', 'agentId', { title: 'x' }],
  ['patch', '/api/goals/:goalId', 'parentId', 'goalId'],
  ['patch', '/api/goals/:goalId', 'ownerAgentId', 'agentId'],
  ['post', '/api/companies/:companyId/projects', 'goalIds', 'goalId', { name: 'x' }],
  ['post', '/api/companies/:companyId/projects', 'leadAgentId', 'agentId', { name: 'x' }],
  ['patch', '/api/projects/:projectId', 'goalIds', 'goalId'],
  ['patch', '/api/projects/:projectId', 'leadAgentId', 'agentId'],
  ['post', '/api/companies/:companyId/issues', 'projectId', 'projectId', { title: 'x' }],
  ['post', '/api/companies/:companyId/issues', 'goalId', 'goalId', { title: 'x' }],
  ['post', '/api/companies/:companyId/issues', 'parentId', 'issueId', { title: 'x' }],
  ['patch', '/api/issues/:issueId', 'projectId', 'projectId'],
  ['patch', '/api/issues/:issueId', 'goalId', 'goalId'],
  ['patch', '/api/issues/:issueId', 'parentId', 'issueId'],
];

describe('ids of other rows in a body', () => {
  const harness = useHarness();
  let own: Side;
  let foreign: Side;
  beforeAll(async () => {
    own = await buildSide(harness);
    foreign = await buildSide(harness);
  });

  const send = ([method, path, field, , rest]: Case, value: string, key = '') => {
    const values = field.endsWith('Ids') ? [own.ids.goalId, value] : value;
    const asked = harness.api[method](fill(path, own.ids)).send({ ...rest, [field]: values });
    return key && method === 'post' ? asked.set('Idempotency-Key', key) : asked;
  };

  it.each(REFERENCES)(
    '%s %s: `%s` fails with 403 for another company’s id, 422 if unknown, 400 if malformed',
    async (...one) => {
      const [, , field, names] = one;
      const before = await everything(harness);
      for (const key of ['', newId()]) {
        const elsewhere = await send(one, foreign.ids[names] as string, key).expect(403);
        expect(elsewhere.body).toMatchObject({ code: 'cross_company', details: { field } });
        const nowhere = await send(one, newId(), key).expect(422);
        expect(nowhere.body).toMatchObject({ code: 'unknown_reference', details: { field } });
      }
      const malformed = await send(one, 'x').expect(400);
      expect(malformed.body.details[0].path[0]).toBe(field);
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('fail with 403 if ids of another company and unknown ids are sent together', async () => {
    const goalIds = [own.ids.goalId, newId(), foreign.ids.goalId];
    const { body } = await harness.api
      .patch(`/api/projects/${own.ids.projectId}`)
      .send({ goalIds })
      .expect(403);
    expect(body).toMatchObject({ code: 'cross_company', details: { field: 'goalIds' } });
  });
});
