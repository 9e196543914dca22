import { startLimited } from '../../../../test/limited-exchange';
import { openSharedDatabase, type SharedDatabase } from '../../../../test/shared-database';
import { TESTED_EXCHANGES } from '../../config';

let database: SharedDatabase;
let limited: Awaited<ReturnType<typeof startLimited>>;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterEach(() => limited.close());
afterAll(() => database.drop());

const untold = (exchange: string) =>
  exchange === 'coinbase' ? [expect.objectContaining({ code: 'not_supported' })] : [];

it.each(TESTED_EXCHANGES)(
  'collections of three grids stay within the limits of %s, and the first collection after an outage reads all components',
  async (exchange) => {
    limited = await startLimited(database, exchange, { symbols: 3, grids: 3 });
    for (let round = 0; round < 4; round++) {
      const { failures, ms } = await limited.collect();
      expect([limited.broken, failures]).toEqual([[], untold(exchange)]);
      expect(ms).toBeLessThan(15_000);
      limited.nextCollection();
    }
    limited.fail('reset');
    expect((await limited.collect()).degraded).toBe(true);
    limited.fail(null);
    limited.nextCollection();
    expect((await limited.collect()).degraded).toBe(false);
  },
);
