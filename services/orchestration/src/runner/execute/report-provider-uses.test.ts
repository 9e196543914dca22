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

  it('books what the gateway read, whatever the run reports of that provider', () => {
    expect(count()).toEqual(['anthropic']);
    const lie = { provider: 'anthropic', inputTokens: 1, costCents: 0 };
    expect(count(lie, lie)).toEqual(['anthropic']);
  });

  it('books reports of other providers beside it', () => {
    expect(count({ inputTokens: 1 }, { costCents: 0 })).toEqual(['p', 'p', 'anthropic']);
  });
});
