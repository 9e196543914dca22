import { type Harness, startHarness } from '../../../../test/harness';
import { differingMonths } from '../../../../test/random-fills';

describe('the books of a grid', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('do not depend on the order of fills or on the distribution of fills among polls', async () => {
    expect(await differingMonths(harness, { months: 6, orders: 20, size: 30, seed: 5 })).toEqual(
      [],
    );
  });

  it('stay correct when a late fill is booked from a checkpoint', async () => {
    expect(await differingMonths(harness, { months: 2, orders: 6, size: 700, seed: 6 })).toEqual(
      [],
    );
    const [{ count }] = (await harness.rows<{ count: number }>(
      'SELECT count(*)::int FROM trade WHERE books IS NOT NULL',
    )) as [{ count: number }];
    expect(count).toBeGreaterThan(12);
  });
});
