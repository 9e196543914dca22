import { newId } from '@switchyard/db';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

type Route = [verb: 'get' | 'post' | 'patch', path: string, body?: object];

const ROUTES: Route[] = [
  ['get', '/api/companies/COMPANY/goals'],
  ['post', '/api/companies/COMPANY/goals', { title: 'x' }],
  ['get', '/api/goals/GOAL'],
  ['patch', '/api/goals/GOAL', { title: 'x' }],
];

describe('goal routes', () => {
  const harness = useHarness();

  const ask = ([verb, path, body]: Route, companyId: string, goalId: string) =>
    harness.api[verb](path.replace('COMPANY', companyId).replace('GOAL', goalId)).send(body);

  it.each(ROUTES)('%s %s: returns 404 for unknown and malformed ids', async (...route) => {
    const before = await everything(harness);
    for (const id of [newId(), 'nothing', '%00', "'"]) {
      expect((await ask(route, id, id).expect(404)).body.code).toBe('not_found');
    }
    expect(await everything(harness)).toEqual(before);
  });

  it.each(ROUTES)(
    '%s %s: returns 403 for another company, and changes nothing',
    async (...route) => {
      const goal = await harness.build.goal();
      const { authorization } = await harness.build.liveRun();
      const before = await everything(harness);
      const asked = ask(route, goal.companyId, goal.id).set('Authorization', authorization);
      expect((await asked.expect(403)).body.code).toBe('cross_company');
      expect(await everything(harness)).toEqual(before);
    },
  );

  it.each(ROUTES)(
    '%s %s: succeeds for an agent of the company and for the board',
    async (...route) => {
      const { agent, authorization } = await harness.build.liveRun();
      const key = await harness.build.apiKey(agent.id);
      const goal = await harness.build.goal({ companyId: agent.companyId });
      const status = route[0] === 'post' ? 201 : 200;
      await ask(route, goal.companyId, goal.id).expect(status);
      for (const credential of [authorization, key]) {
        const asked = ask(route, goal.companyId, goal.id).set('Authorization', credential);
        await asked.expect(status);
      }
    },
  );

  it.each(ROUTES)(
    '%s %s: allows reads and rejects writes in an archived company',
    async (...route) => {
      const goal = await harness.build.goal();
      await harness.api.post(`/api/companies/${goal.companyId}/archive`).expect(200);
      const before = await everything(harness);
      const answer = await ask(route, goal.companyId, goal.id);
      expect(answer.status).toBe(route[0] === 'get' ? 200 : 409);
      if (route[0] !== 'get') expect(answer.body.code).toBe('company_archived');
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('return the first response when a create request is repeated with its idempotency key', async () => {
    const { id } = await harness.build.company();
    const send = () =>
      harness.api
        .post(`/api/companies/${id}/goals`)
        .set('Idempotency-Key', 'k')
        .send({ title: 'x' });
    const [first, second] = [await send().expect(201), await send().expect(201)];
    expect(second.body).toEqual(first.body);
    expect(await harness.db.goal.count({ where: { companyId: id } })).toBe(1);
  });

  it('return 405 with an Allow header for an unsupported method', async () => {
    const goal = await harness.build.goal();
    const { headers } = await harness.api.delete(`/api/goals/${goal.id}`).expect(405);
    expect(headers.allow).toMatch(/^GET, PATCH/);
  });
});
