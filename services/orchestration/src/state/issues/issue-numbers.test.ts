import type { IssueView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { startReplica } from '../../../test/replica';
import { inTransaction, systemCall } from '../../kernel/call';
import { insertIssue } from './insert-issue';
import { issueNumbers } from './issue-numbers';

describe('issue numbers', () => {
  const harness = useHarness();

  const create = async (companyId: string, url = harness.url): Promise<number> => {
    const response = await fetch(`${url}/api/companies/${companyId}/issues`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'made' }),
    });
    expect(response.status).toBe(201);
    return ((await response.json()) as IssueView).issueNumber;
  };

  it('stay unique, and increase for each caller, when two processes create issues concurrently', async () => {
    const replica = await startReplica(harness.config);
    try {
      const companies = [await harness.build.company(), await harness.build.company()];
      const made = await Promise.all(
        [0, 1, 2, 3, 4, 5, 6, 7].map(async (caller) => {
          const companyId = companies[caller % 2]?.id as string;
          const numbers: number[] = [];
          for (let n = 0; n < 10; n++) {
            numbers.push(await create(companyId, caller < 4 ? harness.url : replica.url));
          }
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
          return numbers;
        }),
      );
      for (const company of [0, 1]) {
        const numbers = made.filter((_, caller) => caller % 2 === company).flat();
        const all = Array.from({ length: 40 }, (_, n) => n + 1);
        expect(numbers.sort((a, b) => a - b)).toEqual(all);
      }
    } finally {
      await replica.close();
    }
  });

  it('need no lock that lasts until the commit, and have a gap after a rollback', async () => {
    const { id: companyId } = await harness.build.company();
    const { context } = harness;
    const stored = inTransaction(systemCall(context, companyId), async (tx) => {
      const issueNumber = await issueNumbers(context).take(companyId);
      await insertIssue(tx, { title: 'rolled back', issueNumber });
      expect(await create(companyId)).toBe(2);
      throw new Error('rolled back');
    });
    await expect(stored).rejects.toThrow('rolled back');
    expect(await create(companyId)).toBe(3);
  });

  it('cannot be assigned for an invalid company id, but still work for a valid id afterwards', async () => {
    const numbers = issueNumbers(harness.context);
    await expect(numbers.take('no id')).rejects.toThrow();
    const { id: companyId } = await harness.build.company();
    expect(await numbers.take(companyId)).toBe(1);
  });
});
