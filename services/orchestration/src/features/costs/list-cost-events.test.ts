import { newId } from '@switchyard/db';
import type { CostEventView, CreateCostEventBody } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';

const COST = { provider: 'acme', model: 'large', inputTokens: 30, outputTokens: 4, costCents: 5 };

describe('GET /api/companies/{companyId}/cost-events', () => {
  const harness = useHarness();

  const post = async (companyId: string, body: Partial<CreateCostEventBody>) =>
    (
      await harness.api
        .post(`/api/companies/${companyId}/cost-events`)
        .send({ ...COST, ...body })
        .expect(201)
    ).body as CostEventView;
  const list = async (companyId: string, query = '') =>
    (await harness.api.get(`/api/companies/${companyId}/cost-events?${query}`).expect(200))
      .body as CostEventView[];
  const ids = (events: { id: string }[]) => events.map(({ id }) => id);

  it('returns every event as it was created, newest first', async () => {
    const { build } = harness;
    const run = await build.liveRun();
    const { companyId, id: agentId } = run.agent;
    const project = await build.project({ companyId });
    const goal = await build.goal({ companyId });
    const issue = await build.issue({ companyId, projectId: project.id, goalId: goal.id });
    const occurredAt = '2020-02-29T23:30:00.000Z';
    const first = await post(companyId, { agentId });
    const second = await post(companyId, {
      agentId,
      issueId: issue.id,
      runId: run.id,
      occurredAt,
    });
    expect(second).toMatchObject({ projectId: project.id, goalId: goal.id, occurredAt });
    expect(await list(companyId)).toEqual([second, first]);
    expect(await list((await build.company()).id)).toEqual([]);
  });

  it('filters by each field, and by several fields', async () => {
    const { build } = harness;
    const run = await build.liveRun();
    const { companyId, id: agentId } = run.agent;
    const other = await build.agent({ companyId });
    const issue = await build.issue({ companyId });
    const made = [
      await post(companyId, { agentId }),
      await post(companyId, { agentId: other.id, model: 'small' }),
      await post(companyId, { agentId, issueId: issue.id, provider: 'other' }),
      await post(companyId, { agentId, runId: run.id, issueId: issue.id }),
      await post(companyId, { agentId, runId: run.id, model: 'small' }),
    ].reverse();
    const filters: [string, (event: CostEventView) => boolean][] = [
      [`agentId=${other.id}`, (event) => event.agentId === other.id],
      [`issueId=${issue.id}`, (event) => event.issueId === issue.id],
      [`runId=${run.id}`, (event) => event.runId === run.id],
      ['model=small', (event) => event.model === 'small'],
      ['provider=other', (event) => event.provider === 'other'],
    ];
    for (const [query, fits] of filters) {
      expect(await list(companyId, query)).toEqual(made.filter(fits));
      for (const [further, alsoFits] of filters) {
        if (further === query) continue;
        const both = made.filter((event) => fits(event) && alsoFits(event));
        expect(await list(companyId, `${query}&${further}`)).toEqual(both);
      }
    }
    expect(await list(companyId, `agentId=${newId()}`)).toEqual([]);
    expect(await list(companyId, 'model=unheard-of')).toEqual([]);
  });

  it('filters by the UTC day on which the event was recorded, with one or both bounds', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    const times = [
      '2023-12-31T23:59:59.999Z',
      '2024-01-01T00:00:00.000Z',
      '2024-02-29T23:59:59.999Z',
      '2024-03-01T00:00:00.000Z',
    ];
    const made: string[] = [];
    for (const time of times) {
      const { id } = await post(companyId, { agentId, occurredAt: '2019-06-01T00:00:00.000Z' });
      made.unshift(id);
      await harness.context.db.pool.query('UPDATE cost_event SET created_at = $2 WHERE id = $1', [
        id,
        time,
      ]);
    }
    const [march, leap, january, december] = made;
    expect(ids(await list(companyId, 'from=2024-03-01'))).toEqual([march]);
    expect(ids(await list(companyId, 'to=2024-01-01'))).toEqual([december]);
    expect(ids(await list(companyId, 'from=2024-01-01&to=2024-03-01'))).toEqual([leap, january]);
    expect(ids(await list(companyId, 'from=2024-02-29&to=2024-03-01'))).toEqual([leap]);
    expect(ids(await list(companyId, 'from=1970-01-01&to=2999-12-31'))).toEqual(made);
  });

  it('returns each event once across pages, even with equal times and concurrent inserts', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    for (let n = 0; n < 9; n++) await post(companyId, { agentId, model: n % 2 ? 'odd' : 'even' });
    await harness.context.db.pool.query(
      'UPDATE cost_event SET created_at = $2 WHERE company_id = $1',
      [companyId, '2024-01-01T00:00:00.000Z'],
    );
    const whole = ids(await list(companyId));
    expect(whole).toHaveLength(9);
    const path = `/api/companies/${companyId}/cost-events`;
    for (const limit of [1, 2, 4, 9]) {
      const more = () => post(companyId, { agentId, model: 'late' });
      const seen = ids(
        await walkPages<CostEventView>(harness, `${path}?to=2024-02-01`, limit, more),
      );
      expect(seen).toEqual(whole);
      const odd = await walkPages<CostEventView>(harness, `${path}?model=odd`, limit);
      expect(odd).toEqual(await list(companyId, 'model=odd'));
    }
  });

  it.each([
    ['agentId=nonsense', ['agentId']],
    ['issueId=ACM-1', ['issueId']],
    ['runId=', ['runId']],
    ['model=%00', ['model']],
    [`model=${'m'.repeat(201)}`, ['model']],
    ['provider=%20', ['provider']],
    ['from=yesterday', ['from']],
    ['to=2023-02-29', ['to']],
    ['from=2024-01-02&to=2024-01-01', ['to']],
    ['month=2024-01', ['month']],
    ['cursor=x', ['cursor']],
    ['limit=501', ['limit']],
  ])('rejects %s', async (query, fields) => {
    const { id } = await harness.build.company();
    const { status, body } = await harness.api.get(`/api/companies/${id}/cost-events?${query}`);
    expect([status, body.code]).toEqual([400, 'validation_error']);
    expect(body.details.flatMap(({ path }: { path: string[] }) => path)).toEqual(fields);
  });

  it('returns 200 to every agent of the company, and 403 to callers of other companies', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    const event = await post(companyId, { agentId });
    const path = `/api/companies/${companyId}/cost-events`;
    const colleague = await harness.build.apiKey((await harness.build.agent({ companyId })).id);
    const seen = await harness.api.get(path).set('Authorization', colleague).expect(200);
    expect(seen.body).toEqual([event]);
    const foreign = await harness.build.agent();
    const stranger = await harness.build.apiKey(foreign.id);
    const refused = await harness.api.get(path).set('Authorization', stranger);
    expect([refused.status, refused.body.code]).toEqual([403, 'cross_company']);
    expect(await list(companyId, `agentId=${foreign.id}`)).toEqual([]);
    await harness.api.get(`/api/companies/${newId()}/cost-events`).expect(404);
  });
});
