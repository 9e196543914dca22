import { TESTED_EXCHANGES } from '../../src/exchange/config';
import { startLimited } from '../limited-exchange';
import { openSharedDatabase, type SharedDatabase } from '../shared-database';

const GRIDS = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP'];
const PART_MS = 15_000;

export function collectWithinLimits(hours: number): void {
  let database: SharedDatabase;
  let limited: Awaited<ReturnType<typeof startLimited>>;
  beforeAll(async () => {
    database = await openSharedDatabase();
  });
  afterEach(() => limited.close());
  afterAll(() => database.drop());

  it.each(TESTED_EXCHANGES)(
    `collects ten symbols and five grids from %s for ${hours} hours without a ban or a degraded collection`,
    async (exchange) => {
      limited = await startLimited(database, exchange, { symbols: 10, grids: GRIDS.length });
      const degraded: unknown[] = [];
      let longest = 0;
      for (let round = 0; round < hours * 12; round++) {
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
      expect(stored).toEqual([{ count: hours * 12 - 1 }]);
      process.stdout.write(
        `${exchange}: ${hours * 12} collections, 0 bans, 0 degraded; the longest took ${longest} ms\n`,
      );
    },
  );
}
