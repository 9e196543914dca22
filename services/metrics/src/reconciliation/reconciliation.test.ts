import { type Fault, startTradedAccount } from '../../test/traded-account';
import { decimal } from '../decimal';
import { deleteOld } from '../history/delete-old';

type Account = Awaited<ReturnType<typeof startTradedAccount>>;

const FAULTS: Fault[] = ['hidden', 'doubled', 'mislabelled'];
const MINUTE_MS = 60_000;

let account: Account;
afterEach(() => account.close());

describe('GET /reconciliation', () => {
  it.each(['binance', 'okx'])(
    'explains every balance change of %s by fills and transfers',
    async (dialect) => {
      account = await startTradedAccount(dialect, 3);
      expect(await account.collect()).toEqual([]);
      for (let round = 0; round < 24; round++) {
        account.clock.forward(5 * MINUTE_MS);
        for (let trade = 0; trade < 3; trade++) account.trade();
        if (round % 6 === 0) account.transfer();
        account.clock.forward(1_000);
        expect(await account.collect()).toEqual([]);
      }
      const [{ count }] = (await account.service.rows(
        'SELECT count(*)::int FROM account_fill',
      )) as [{ count: number }];
      expect(count).toBe(72);
    },
  );

  it('reports each hidden, doubled or mislabelled fill in the next collection', async () => {
    account = await startTradedAccount('binance', 5);
    await account.collect();
    const before = new Map<string, string>();
    for (let round = 0; round < 12; round++) {
      account.clock.forward(5 * MINUTE_MS);
      const fault = FAULTS[round % 3] as Fault;
      const { base, amount } = account.trade({ fault });
      account.clock.forward(1_000);
      const items = await account.collect();
      const named = items.find(({ asset }) => asset === base);
      const change = decimal(named?.unexplained ?? 0).minus(before.get(base) ?? 0);
      const off = fault === 'doubled' ? amount.negated() : amount;
      expect([fault, change.minus(off).abs().lt('0.002')]).toEqual([fault, true]);
      before.clear();
      for (const { asset, unexplained } of items) before.set(asset, unexplained);
    }
  });

  it('explains a balance again after a late fill has arrived', async () => {
    account = await startTradedAccount('binance', 9);
    await account.collect();
    account.clock.forward(MINUTE_MS);
    account.trade({ lateMs: 8 * MINUTE_MS });
    account.clock.forward(1_000);
    const named = await account.collect();
    expect(named.length).toBeGreaterThan(1);
    account.clock.forward(10 * MINUTE_MS);
    expect(await account.collect()).toEqual([]);
  });

  it('returns the same books after fills older than METRICS_RETENTION_DAYS are deleted', async () => {
    account = await startTradedAccount('binance', 13);
    const { clock, service } = account;
    const trade = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        clock.forward(120 * MINUTE_MS);
        account.trade();
        account.trade();
        clock.forward(1_000);
        expect(await account.collect()).toEqual([]);
      }
    };
    const fills = async () =>
      (await service.rows<{ count: number }>('SELECT count(*)::int FROM account_fill'))[0]?.count;
    const books = async () => (await service.http.get('/reconciliation')).body.items;
    const clean = () =>
      deleteOld({ ...service.context, config: { ...service.config, retentionDays: 1 } });
    await account.collect();
    await trade(24);
    const before = await books();
    await service.rows("UPDATE reconciliation SET read_until = read_until - interval '3 days'");
    await clean();
    expect(await fills()).toBe(48);
    await service.rows("UPDATE reconciliation SET read_until = read_until + interval '3 days'");
    await clean();
    expect(await fills()).toBe(24);
    expect(await books()).toEqual(before);
    const { body } = await service.http.get('/performance?days=30').expect(200);
    const [oldest] = await service.rows<{ at: Date }>(
      'SELECT min(traded_at) AS at FROM account_fill',
    );
    expect(Date.parse(body.fills_since)).toBeGreaterThan(Number(oldest?.at) - 121 * MINUTE_MS);
    expect(Date.parse(body.fills_since)).toBeLessThanOrEqual(Number(oldest?.at));
    const newest = (await service.http.get('/performance?days=1').expect(200)).body;
    expect(newest.fills_since).toBe(
      new Date(clock.now().getTime() - 24 * 60 * MINUTE_MS).toISOString(),
    );
    await trade(2);
  });

  it('stops tracking an asset when none of its symbols is collected, and reads none of its old fills', async () => {
    account = await startTradedAccount('binance', 19);
    const { clock, service, sim } = account;
    await account.collect();
    clock.forward(48 * 60 * MINUTE_MS);
    account.trade();
    await account.collect();
    await service.rows(
      `INSERT INTO reconciliation SELECT (json_populate_record(books,
         '{"asset": "DOGE", "read_until": "2030-12-01T00:00:00Z", "checked_at": "2030-12-01T00:00:00Z"}')).*
       FROM reconciliation books WHERE asset = 'BTC'`,
    );
    clock.forward(5 * MINUTE_MS);
    account.trade();
    clock.forward(1_000);
    sim.requests.length = 0;
    expect(await account.collect()).toEqual([]);
    expect(sim.requests.filter((one) => one.includes('myTrades')).length).toBeLessThan(4);
    expect(await service.rows("SELECT 1 FROM reconciliation WHERE asset = 'DOGE'")).toEqual([]);
  });

  it('counts fills that are read while the balance of their asset is unreadable', async () => {
    account = await startTradedAccount('binance', 23);
    const { clock, service, sim } = account;
    await account.collect();
    clock.forward(MINUTE_MS);
    const { base } = account.trade();
    const whole = sim.account.balances[base] as { free: string; locked: string };
    sim.account.balances[base] = { free: 'unreadable', locked: '0' };
    clock.forward(1_000);
    expect(await account.collect({ degraded: true })).toEqual([]);
    expect(await service.rows('SELECT 1 FROM account_fill')).toHaveLength(1);
    sim.account.balances[base] = whole;
    clock.forward(MINUTE_MS);
    expect(await account.collect()).toEqual([]);
  });

  it('reads at most the last hour of fills again while differences keep changing', async () => {
    account = await startTradedAccount('binance', 17);
    await account.collect();
    for (let round = 0; round < 16; round++) {
      account.clock.forward(10 * MINUTE_MS);
      account.trade({ fault: 'hidden' });
      account.clock.forward(1_000);
      expect(await account.collect()).not.toEqual([]);
    }
    const [books] = await account.service.rows<{ is_recent: boolean }>(
      "SELECT bool_and(read_until >= checked_at - interval '61 minutes') AS is_recent FROM reconciliation",
    );
    expect(books?.is_recent).toBe(true);
  });

  it('uses the current balances as opening balances after POST /reconciliation/accept', async () => {
    account = await startTradedAccount('binance', 11);
    await account.collect();
    account.clock.forward(MINUTE_MS);
    account.trade({ fault: 'hidden' });
    account.clock.forward(1_000);
    expect(await account.collect()).not.toEqual([]);
    await account.service.http.post('/reconciliation/accept').send({}).expect(200);
    account.clock.forward(MINUTE_MS);
    expect(await account.collect()).toEqual([]);
    account.clock.forward(1_000);
    account.trade();
    account.clock.forward(MINUTE_MS);
    expect(await account.collect()).toEqual([]);
  });
});
