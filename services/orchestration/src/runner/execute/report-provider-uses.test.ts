import type { UsageReport } from '../../adapters/agents/agent-adapter';
import { countOnce } from './report-provider-uses';

describe('countOnce', () => {
  const counts = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };
  const count = (...reports: Partial<UsageReport>[]) => {
    const booked: UsageReport[] = [];
    const counted = countOnce({
      uses: () => [{ provider: 'anthropic', model: 'm', counts }],
      dollars: () => 0.01,
      report: (usage) => booked.push(usage),
      say: () => {},
    });
    const none = { provider: 'p', model: 'm', inputTokens: 0, outputTokens: 0, costCents: null };
    for (const report of reports) counted.onUsage({ ...none, ...report });
    counted.end();
    return booked.map(({ provider }) => provider);
  };

  it('books what the gateway read when the run reports nothing', () => {
    expect(count()).toEqual(['anthropic']);
  });

  it.each<Partial<UsageReport>>([{ inputTokens: 1 }, { outputTokens: 1 }, { costCents: 0 }])(
    'books a report with %p alone',
    (report) => {
      expect(count(report)).toEqual(['p']);
    },
  );

  it('also books what the gateway read when no report could be read', () => {
    expect(count({}, {})).toEqual(['p', 'p', 'anthropic']);
  });
});
