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

const COLLECTIONS = Number(process.env.LIMITED_HOURS ?? 6) * 12;
const GRIDS = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP'];
const PART_MS = 15_000;

it.each(TESTED_EXCHANGES)(
  'ten symbols and five grids can be collected from %s for hours without a ban or a degraded collection',
  async (exchange) => {
    limited = await startLimited(database, exchange, { symbols: 10, grids: GRIDS.length });
    const degraded: unknown[] = [];
    let longest = 0;
    for (let round = 0; round < COLLECTIONS; round++) {
      const fill = limited.fill(GRIDS[round % GRIDS.length] as string, round % 3 > 0);
      const collected = await limited.collect();
      if (collected.degraded !== false) degraded.push({ round, ...collected });
      longest = Math.max(longest, collected.ms);
      fill();
      limited.nextCollection();
    }
    const stored = await limited.service.rows('SELECT count(*)::int AS count FROM trade');
    expect({ broken: limited.broken, degraded }).toEqual({ broken: [], degraded: [] });
    expect(longest).toBeLessThan(PART_MS);
    expect(stored).toEqual([{ count: COLLECTIONS - 1 }]);
  },
);
