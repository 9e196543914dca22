import { useHarness } from '../../test/harness';
import { exportLines, readExport } from './export-lines';

describe('exportLines', () => {
  const harness = useHarness();

  async function exported(...words: string[]) {
    const { what, since } = readExport(words);
    let text = '';
    for await (const part of exportLines(harness.context.db, what, since)) text += part;
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  it('exports the activity of every company in event order, starting on the given day', async () => {
    const companies = [await harness.build.company(), await harness.build.company()];
    await harness.db.activity.updateMany({
      where: { companyId: companies[0]?.id },
      data: { createdAt: new Date('2020-01-01T00:00:00Z') },
    });
    const all = await exported('activity');
    const created = all.filter(({ action }) => action === 'company.created');
    expect(created.map(({ companyId }) => companyId)).toEqual(companies.map(({ id }) => id));
    const recent = await exported('activity', '--since', '2021-01-01');
    expect(new Set(recent.map(({ companyId }) => companyId))).toEqual(new Set([companies[1]?.id]));
  });

  it('exports costs with tokens and without idempotency keys', async () => {
    const { id } = await harness.build.company();
    const agent = await harness.build.agent({ companyId: id });
    const body = {
      agentId: agent.id,
      provider: 'openai',
      model: 'm',
      inputTokens: 5,
      outputTokens: 1,
      costCents: 7,
    };
    await harness.api.post(`/api/companies/${id}/cost-events`).send(body).expect(201);
    const [row, ...more] = await exported('costs');
    expect(more).toEqual([]);
    expect(row).toMatchObject({ companyId: id, inputTokens: 5, costCents: 7, source: 'board' });
    expect(row).not.toHaveProperty('idempotencyKey');
  });

  it.each([
    [[]],
    [['runs']],
    [['costs', '--since']],
    [['costs', '--since', 'may']],
    [['costs', 'x']],
  ])('readExport rejects %p', (words) => {
    expect(() => readExport(words)).toThrow('usage: export activity|costs');
  });
});
