import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../../../test/shared-database';

const MIGRATION = '../../../../../../prisma/metrics/migrations/0002_fold_books/migration.sql';

describe('migration 0002_fold_books', () => {
  let database: SharedDatabase;
  let service: SharedHarness;
  beforeAll(async () => {
    database = await openSharedDatabase();
    service = await database.start();
    await service.asOwner(`
      ALTER TABLE trade DROP COLUMN fee_price, DROP COLUMN order_price, DROP COLUMN books;
      ALTER TABLE exchange_order DROP COLUMN price;
      INSERT INTO grid (grid_id, name, exchange, simulated, symbol, mode, spacing, lower_price, upper_price, grid_count,
        order_amount, fee_rate, tick_size, client_order_prefix, levels, status, created_at, ledger, trades_watermark,
        initial_base, initial_cost, rebased_at)
      SELECT md5(name)::uuid, name, 'e', false, 'ETH/USDT', 'external', 'arithmetic', 3000, 3400, 4, 0.1, 0.001, 0.01, name,
        '{3000,3200,3400}', 'active', now(), ledger, now(), 2, 6400, '2030-01-01'
      FROM (VALUES
        ('one', '{"fees": "64", "feesUnpriced": {}}'::jsonb),
        ('part', '{"fees": "34", "feesUnpriced": {"BNB": "0.1"}}'),
        ('two', '{"fees": "70", "feesUnpriced": {}}'),
        ('none', '{"fees": "4", "feesUnpriced": {"BNB": "0.2"}}')
      ) AS old (name, ledger);
      INSERT INTO trade (exchange, symbol, trade_id, grid_id, side, price, amount, fee, fee_asset, traded_at)
      SELECT 'e', 'ETH/USDT', grid_id || number, grid_id, 'buy', 3100, 0.1, fee,
        CASE WHEN name = 'two' AND number = 4 THEN 'NEW' ELSE asset END, at::timestamptz
      FROM grid CROSS JOIN (VALUES
        (1, 9, 'BNB', '2029-12-31'),
        (2, 4, 'USDT', '2031-01-01'),
        (3, 0.1, 'BNB', '2031-01-02'),
        (4, 0.1, 'BNB', '2031-01-03'),
        (5, 0.001, 'ETH', '2031-01-04')
      ) AS fill (number, fee, asset, at);`);
    await service.asOwner(await readFile(join(__dirname, MIGRATION), 'utf8'));
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it.each([
    ['one', '64', {}],
    ['part', '34', { BNB: '0.1' }],
    ['two', '70', {}],
    ['none', '4', { BNB: '0.2' }],
  ])('preserves the fees in other assets of grid "%s"', async (name, fees, feesUnpriced) => {
    const read = `SELECT grid_id AS id, ledger FROM grid WHERE name = '${name}'`;
    const [{ id }] = await service.rows(read);
    await service.http.post(`/grids/${id}/rebuild`).send({}).expect(200);
    const [{ ledger }] = await service.rows(read);
    expect(ledger).toMatchObject({ fees, feesUnpriced, buys: 4 });
  });
});
