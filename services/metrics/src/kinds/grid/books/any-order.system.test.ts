import { type Harness, startHarness } from '../../../../test/harness';
import { differingMonths } from '../../../../test/random-fills';

const months = Number(process.env.BOOK_MONTHS ?? 250);

describe('the books of a grid', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('do not depend on the order of fills or on the distribution of fills among polls', async () => {
    expect(await differingMonths(harness, { months, orders: 20, size: 12, seed: 11 })).toEqual([]);
  });
});
