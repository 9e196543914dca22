import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clockAt, type Harness, startHarness } from './harness';

const SCRIPT = readFileSync(join(__dirname, '../assets/partition-by-month.sql'), 'utf8');

describe('partitioning of a snapshot table by month', () => {
  const clock = clockAt('2026-01-31T23:00:30.000Z');
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
    await collect('january');
    clock.set('2026-02-01T00:00:30.000Z');
    await collect('february');
  });
  afterAll(() => service.close());

  const collect = (id: string) =>
    service.http.post('/metrics/collect').send({ collection_id: id }).expect(200);
  const history = async (query = '') =>
    (await service.http.get(`/metrics/history?kind=market&start=2026-01-01T00:00:00Z${query}`)).body
      .items;
  const partition = (table = 'market_snapshot') =>
    service.asOwner(SCRIPT.replace(":'table'", `'${table}'`));
  const places = () =>
    service.rows('SELECT tableoid::regclass::text AS place FROM market_snapshot ORDER BY id');

  it('does not change history or roll-ups', async () => {
    const before = [await history(), await history('&interval=1d&agg=avg')];
    const ids = await service.rows('SELECT id FROM market_snapshot ORDER BY id');
    await partition();
    expect([await history(), await history('&interval=1d&agg=avg')]).toEqual(before);
    expect(await service.rows('SELECT id FROM market_snapshot ORDER BY id')).toEqual(ids);
    expect(await places()).toEqual([
      ...Array(3).fill({ place: 'market_snapshot_2026_01' }),
      ...Array(3).fill({ place: 'market_snapshot_2026_02' }),
    ]);
  });

  it('allows further collections, and the deletion of a collection or of a whole month', async () => {
    clock.set('2026-02-01T00:01:30.000Z');
    await collect('after');
    expect(await places()).toHaveLength(9);
    await service.rows("DELETE FROM collection WHERE collection_id = 'february'");
    expect(await places()).toHaveLength(6);
    await service.asOwner('DROP TABLE market_snapshot_2026_01');
    expect(await history()).toHaveLength(3);
  });

  it('preserves indexes and keys when the partitioning is repeated', async () => {
    const shape = () =>
      service.rows(
        `SELECT indexdef AS what FROM pg_indexes WHERE tablename = 'market_snapshot'
         UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'market_snapshot'::regclass
           -- Newer releases of PostgreSQL also list columns that must not be null.
           AND contype <> 'n'
         ORDER BY 1`,
      );
    const [rows, known] = [await history(), await shape()];
    await partition();
    expect([await history(), await shape()]).toEqual([rows, known]);
    expect(known).toHaveLength(6);
  });

  it('preserves views of the table, and views of these views', async () => {
    await service.asOwner(
      `CREATE VIEW price AS SELECT symbol, captured_at, last FROM market_snapshot;
       CREATE VIEW highest_price AS SELECT symbol, max(last) AS last FROM price GROUP BY symbol`,
    );
    const highest = () => service.rows('SELECT * FROM highest_price ORDER BY symbol');
    const before = await highest();
    await partition();
    expect(await highest()).toEqual(before);
    expect(before).toHaveLength(3);
  });

  it('works for every snapshot table', async () => {
    const tables = await service.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relname LIKE '%\\_snapshot' AND relkind = 'r'`,
    );
    expect(tables.length).toBeGreaterThan(4);
    const read = async () => (await service.http.get('/metrics/history?limit=1000')).body.items;
    const before = await read();
    for (const { name } of tables) await partition(name);
    expect(await read()).toEqual(before);
    clock.set('2026-02-01T00:02:30.000Z');
    const { body } = await collect('all-partitioned');
    expect(await read()).toHaveLength(before.length + body.data_points_collected + 1);
  });
});
