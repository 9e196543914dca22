import type { UsageReport } from '../agents/agent-adapter';
import { priceProviderUses } from './price-provider-uses';

describe('priceProviderUses()', () => {
  const counts = { input: 10, output: 5, cacheRead: 1, cacheWrite: 2 };
  const book = (dollars: (number | null)[]) => {
    const reports: UsageReport[] = [];
    const lines: string[] = [];
    const booked = priceProviderUses({
      dollars: () => dollars.shift() as number | null,
      logLine: (line) => lines.push(line),
    });
    while (dollars.length > 0) {
      reports.push(booked.price({ provider: 'p', model: 'm', requested: null, counts }));
    }
    booked.end();
    return { cents: reports.map(({ costCents }) => costCents), reports, lines };
  };

  it('prices each use, and rounds the running total up to whole cents', () => {
    const { cents, reports } = book([0.048, 0.048, 0.001, 0.001, 0.002]);
    expect(cents).toEqual([5, 5, 0, 0, 0]);
    expect(reports[0]).toEqual({
      provider: 'p',
      model: 'm',
      inputTokens: 13,
      outputTokens: 5,
      costCents: 5,
    });
  });

  it('reports a null cost for a use without a price', () => {
    expect(book([0.01, null, 0.01]).cents).toEqual([1, null, 1]);
  });

  it('uses the requested model’s price if the model in the response has no price', () => {
    const dollars = ({ model }: { model: string }) => (model === 'alias' ? 0.02 : null);
    const uses = priceProviderUses({ dollars, logLine: () => {} });
    const use = { provider: 'p', model: 'm', requested: 'alias', counts };
    expect(uses.price(use)).toMatchObject({ model: 'm', costCents: 2 });
  });

  it('logs only one line with the sums of all uses', () => {
    expect(book([0, 0]).lines).toEqual(['[usage] m: 26 tokens in, 10 out (provider p)\n']);
  });
});
