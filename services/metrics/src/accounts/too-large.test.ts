import { type Harness, startHarness } from '../../test/harness';
import { useTwoAccounts } from '../../test/two-accounts';

describe('a value that the database cannot store', () => {
  const accounts = useTwoAccounts();
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ env: accounts.env() });
  });
  afterAll(() => service.close());
  beforeEach(() => {
    accounts.second.account.balances = { USDT: { free: '777', locked: '0' } };
    accounts.second.account.transfers = [];
  });

  async function collect() {
    const { body } = await service.http.post('/metrics/collect').send({}).expect(200);
    expect(body.accounts.main).toMatchObject({ degraded: false, failed_components: [] });
    expect(body.accounts.second.components.market_data).toMatchObject({ status: 'ok' });
    const listed = await service.http.get(
      `/metrics/history?collection_id=${body.collection_id}&limit=1000`,
    );
    expect(listed.body.items).toHaveLength(body.data_points_collected);
    return body.accounts.second.components;
  }
  const balanceOf = async (account: string) =>
    (await service.http.get(`/metrics/history?kind=balance&account=${account}&limit=1000`)).body
      .items;

  it('makes an asset fail, and equity unknown, if the asset is worth too much', async () => {
    accounts.second.account.balances.BTC = { free: '90000000000000000000', locked: '0' };
    expect((await collect()).account_balance).toMatchObject({
      status: 'partial',
      failures: [
        { code: 'malformed', target: 'BTC', message: expect.stringMatching(/^value_in_quote/) },
      ],
    });
    const [total] = await balanceOf('second');
    expect(total).toMatchObject({ total_equity: null, unpriced_assets: ['BTC'] });
  });

  it('makes an asset fail if the sum of its free and used amounts is too large', async () => {
    const nines = '99999999999999999999';
    accounts.second.account.balances.BTC = { free: nines, locked: nines };
    expect((await collect()).account_balance.failures).toMatchObject([
      { code: 'malformed', target: 'BTC' },
    ]);
  });

  it('makes the whole balance fail if the value is the sum of the assets', async () => {
    const most = { free: '99000000000000000000', locked: '0' };
    accounts.second.account.balances = {
      USDT: most,
      BTC: { free: '1000000000000000', locked: '0' },
    };
    expect((await collect()).account_balance).toMatchObject({
      status: 'failed',
      failures: [{ code: 'malformed', message: expect.stringMatching(/^priced_equity/) }],
    });
  });

  it('becomes null if it is the value of a transfer', async () => {
    const transfer = {
      id: 't1',
      type: 'deposit',
      asset: 'BTC',
      amount: '90000000000000000000',
    } as const;
    accounts.second.account.transfers = [{ ...transfer, time: Date.now() - 60_000 }];
    const { account_balance, transfers } = await collect();
    expect(account_balance).toMatchObject({ status: 'ok' });
    expect(transfers).toMatchObject({ status: 'ok', data_points: 1 });
    expect(await service.rows('SELECT value_in_quote FROM transfer')).toEqual([
      { value_in_quote: null },
    ]);
  });

  it('causes a failure if it is an id or a name with a NUL character', async () => {
    const transfer = { id: 't\0', type: 'deposit', asset: 'BTC', amount: '1' } as const;
    accounts.second.account.transfers = [{ ...transfer, time: Date.now() - 60_000 }];
    const { account_balance, transfers } = await collect();
    expect(account_balance).toMatchObject({ status: 'ok' });
    expect(transfers.failures).toMatchObject([{ code: 'malformed', target: 'transfers' }]);
    accounts.second.account.balances['X\0'] = { free: '1', locked: '0' };
    expect((await collect()).account_balance).toMatchObject({
      status: 'partial',
      data_points: 2,
      failures: [{ code: 'malformed', target: 'X\uFFFD' }],
    });
  });
});
